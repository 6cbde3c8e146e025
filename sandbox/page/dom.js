/**
 * Building elements. Texts only ever become text nodes, so nothing a bot or a person writes can become
 * markup.
 */

/**
 * An element. `properties` are attributes; `on` is an object of listeners, `class` may be a list, and
 * attributes that are false, null or undefined are left out. Children are nodes, texts, lists of them, or
 * anything else for nothing.
 */
export function el(tag, properties = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(properties)) set(element, name, value);
  element.append(
    ...children.flat(Infinity).filter((child) => child instanceof Node || typeof child === "string"),
  );
  return element;
}

function set(element, name, value) {
  if (name === "on") {
    for (const [event, listener] of Object.entries(value)) element.addEventListener(event, listener);
  } else if (name === "style") {
    for (const [property, setting] of Object.entries(value)) element.style.setProperty(property, setting);
  } else if (value === true) {
    element.setAttribute(name, "");
  } else if (value !== false && value !== null && value !== undefined) {
    element.setAttribute(name, Array.isArray(value) ? value.filter(Boolean).join(" ") : value);
  }
}

/** A link of the page's own scheme or the web's; anything else ("javascript:…") becomes null. */
export function safeUrl(url) {
  try {
    const parsed = new URL(url, location.href);
    return ["http:", "https:"].includes(parsed.protocol) ? parsed.href : null;
  } catch {
    return null;
  }
}
