/** Building elements. Texts become text nodes only, so nothing that a bot or a person writes can become markup. */

/**
 * Create an element. `properties` are attributes; those that are false, null or undefined are left out. `on` is an
 * object of listeners, `style` one of CSS properties, and `class` may be a list. Children are nodes, texts and nested
 * lists of these; other values are left out.
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

/** Return the URL if it is http or https, otherwise ("javascript:…") null. */
export function safeUrl(url) {
  try {
    const parsed = new URL(url, location.href);
    return ["http:", "https:"].includes(parsed.protocol) ? parsed.href : null;
  } catch {
    return null;
  }
}
