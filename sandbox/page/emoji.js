/** Emojis that the application owns, which are pictures. */

import { el } from "./dom.js";

/** Create the element of an emoji with the alt text `said`. A picture that no longer exists is shown as its name. */
export function emoji({ id, name }, said = `:${name}:`) {
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
