/** Pictures that a click enlarges. */

import { el } from "./dom.js";

/**
 * Create a picture in a button that enlarges it. `alt` is its alt text or "". `width` and `height` in pixels, if known,
 * keep its place free: when it has loaded, no button moves under a finger.
 */
export function picture(src, alt, { width, height } = {}) {
  const style = width && height ? { "--width": width, "--height": height } : {};
  const image = el("img", { class: ["picture", width && height && "sized"], src, alt, style });
  const properties = {
    type: "button",
    class: "enlarge",
    title: "Enlarge",
    "aria-label": alt ? null : "Enlarge the picture",
    on: { click: () => enlarge(src, alt) },
  };
  return el("button", properties, image);
}

function enlarge(src, alt) {
  const close = () => dialog.close();
  const outside = ({ target }) => target === dialog && close();
  const original = el("a", { href: src, target: "_blank", rel: "noopener noreferrer" }, "Open in a tab");
  const dialog = el(
    "dialog",
    { class: "lightbox", "aria-label": "Picture", on: { close: () => dialog.remove(), click: outside } },
    el("img", { src, alt }),
    el(
      "div",
      { class: "actions" },
      original,
      el("button", { type: "button", class: "button secondary", on: { click: close } }, "Close"),
    ),
  );
  document.body.append(dialog);
  dialog.showModal();
}
