/** Emojis: characters, and pictures of the application's own. */

import { el } from "./dom.js";

/** An emoji as an element, read aloud as `said` ("": not at all); an own one that is gone is shown by its name. */
export function emoji({ id, name }, said = id ? `:${name}:` : name) {
  if (!id) return el("span", { class: "emoji" }, name);
  const gone = ({ currentTarget: picture }) => picture.replaceWith(`:${name}:`);
  return el("img", {
    class: "emoji",
    src: `/emojis/${id}`,
    alt: said,
    title: said,
    draggable: "false",
    on: { error: gone },
  });
}
