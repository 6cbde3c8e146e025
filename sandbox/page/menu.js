/** The menu of commands for a person or a message, as a long press or the right mouse button opens it. */

import { el } from "./dom.js";

/** Show the names at a place on the screen; `choose(name)` is called with the chosen one. */
export function openMenu({ clientX, clientY }, names, choose) {
  const close = () => (dialog.close(), dialog.remove());
  const item = (name) =>
    el("button", { type: "button", class: "button", on: { click: () => (close(), choose(name)) } }, name);
  const style = { "--x": `${clientX}px`, "--y": `${clientY}px` };
  const outside = ({ target }) => target === dialog && close();
  const dialog = el(
    "dialog",
    { class: "menu", "aria-label": "Apps", style, on: { click: outside, cancel: close } },
    names.map(item),
  );
  document.body.append(dialog);
  dialog.showModal();
}
