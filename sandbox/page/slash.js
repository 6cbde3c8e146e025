/**
 * A slash command as text: `/game start mode:Quick game players:3`. These functions read it, complete it and turn it
 * into the call that is sent. They use no elements.
 */

const CHAT_INPUT = 1; // as the type of a whole command
const SUB_COMMAND = 1;
const SUB_GROUP = 2;
const [STRING, INTEGER, BOOLEAN, USER, ROLE] = [3, 4, 5, 6, 8];

/** Return every command that can be called, subcommands by their full path: {path, description, options}. */
export function callable(commands, path = "") {
  return commands.flatMap((command) => {
    if (!path && command.type !== CHAT_INPUT) return [];
    const whole = path ? `${path} ${command.name}` : command.name;
    const inner = (command.options ?? []).filter(({ type }) => type === SUB_COMMAND || type === SUB_GROUP);
    if (inner.length) return callable(inner, whole);
    return [{ path: whole, description: command.description, options: command.options ?? [] }];
  });
}

/**
 * Return what was typed so far: {command, given: [{option, text}], astray}. The command is null until a space follows
 * its name; `astray` are the words before its first option.
 */
function read(text, commands) {
  const typed = text.slice(1);
  const command = commands.find(({ path }) => typed.startsWith(`${path} `));
  return command
    ? { command, ...split(typed.slice(command.path.length), command.options) }
    : { command: null, given: [], astray: "" };
}

function split(rest, options) {
  const starts = [...rest.matchAll(/(?:^|\s)([^\s:]+):/g)]
    .map((match) => ({
      at: match.index,
      end: match.index + match[0].length,
      option: options.find(({ name }) => name === match[1]),
    }))
    .filter(
      ({ option }, index, all) => option && all.findIndex((other) => other.option === option) === index,
    );
  const given = starts.map(({ end, option }, index) => ({
    option,
    text: rest.slice(end, starts[index + 1]?.at).trimStart(),
  }));
  return { given, astray: rest.slice(0, starts[0]?.at) };
}

/**
 * Return suggestions: [{label, detail, text, likely}]. `text` is the whole line with the suggestion; `likely`: Enter
 * takes it. The parameter `offered` are the bot's choices for the value being typed; `place` has people, roles and
 * channels.
 */
export function suggest(text, commands, offered, place) {
  const { command, given } = read(text, commands);
  if (!command) return commandsLike(text, commands);
  const current = given.at(-1);
  const word = /\S*$/.exec(text)[0];
  const free = command.options.filter((option) => !given.some((each) => each.option === option));
  const names = free
    .filter((option) => option.name.startsWith(word) && (!current || current.text.includes(" ")))
    .map((option) => ({
      label: `${option.name}:`,
      detail: option.required ? `${option.description} (required)` : option.description,
      text: `${text.slice(0, text.length - word.length)}${option.name}:`,
      likely: false,
    }));
  return current ? [...valuesLike(text, current, offered, place), ...names] : names;
}

/**
 * Return a description of the command being typed: {path, description, options: [{name, required, given, current}],
 * about}. `about` describes the option being typed, if any. Returns null before the name of a command is complete.
 */
export function hint(text, commands) {
  const { command, given } = read(text, commands);
  if (!command) return null;
  const last = given.at(-1);
  const current = last && !/\S\s+$/.test(last.text) ? last.option : null;
  const options = command.options.map((option) => ({
    name: option.name,
    required: Boolean(option.required),
    given: given.some((each) => each.option === option),
    current: option === current,
  }));
  return { path: command.path, description: command.description, options, about: current && about(current) };
}

function about(option) {
  return `${option.description} (${[option.required ? "required" : "optional", kind(option)].filter(Boolean).join(", ")})`;
}

/** Return in words which values an option accepts. */
function kind(option) {
  const [low, high] = [option.min_value, option.max_value];
  const range = [low !== undefined && `from ${low}`, high !== undefined && `to ${high}`]
    .filter(Boolean)
    .join(" ");
  if (option.choices) return `one of: ${option.choices.map(({ name }) => name).join(", ")}`;
  return option.type === INTEGER && `a whole number ${range}`.trim();
}

/** Return whether the name of a command suggests that it starts a game. An empty channel offers these first. */
export const begins = ({ path }) => /^(\S+ )?(start|new|begin|play)$/.test(path);

function commandsLike(text, commands) {
  const typed = text.slice(1).trimEnd().toLowerCase();
  const rank = ({ path }) => (path.startsWith(typed) ? 0 : 1);
  return commands
    .filter(({ path }) => path.includes(typed))
    .sort((one, other) => rank(one) - rank(other) || one.path.localeCompare(other.path))
    .map((command) => ({
      label: `/${command.path}`,
      detail: command.description,
      text: start(command),
      likely: true,
    }));
}

/** Return the line with which a command begins. */
export function start(command) {
  const first = command.options.find(({ required }) => required);
  return `/${command.path} ${first ? `${first.name}:` : ""}`;
}

function valuesLike(text, { option, text: typed }, offered, place) {
  const before = text.slice(0, text.length - typed.length);
  const known = values(option, offered, place);
  const chosen = known.some(({ name }) => name === typed.trim()); // then Enter sends it, not one that is longer
  return known
    .filter(({ name }) => option.autocomplete || name.toLowerCase().includes(typed.toLowerCase()))
    .filter(({ name }) => name !== typed.trim())
    .slice(0, 25)
    .map(({ name }) => ({ label: name, detail: "", text: `${before}${name} `, likely: !chosen }));
}

function values(option, offered, place) {
  if (option.autocomplete) return offered;
  const entities = {
    [USER]: place.people,
    [ROLE]: place.roles,
  };
  if (option.type === BOOLEAN)
    return [
      { name: "true", value: true },
      { name: "false", value: false },
    ];
  return option.choices ?? entities[option.type]?.map(({ id, name }) => ({ name, value: id })) ?? [];
}

/**
 * Return the autocomplete question for the value being typed: {command, option, typed, options}; null if there is none.
 */
export function completing(text, commands, remembered, place) {
  const { command, given } = read(text, commands);
  const current = given.at(-1);
  if (!current?.option.autocomplete) return null;
  const options = Object.fromEntries(
    given.slice(0, -1).map((each) => [each.option.name, valueOf(each, remembered, place)]),
  );
  return { command: command.path, option: current.option.name, typed: current.text, options };
}

/**
 * Return the call of a complete line: {command: path, options: {name: value}}, or {problem} with the sentence that says
 * what is missing or wrong. `remembered` maps the names of an option and a choice, joined by a tab, to the value that
 * the bot offered.
 */
export function call(text, commands, remembered, place) {
  const { command, given, astray } = read(`${text.trimEnd()} `, commands);
  if (!command) return { problem: "There is no such command. Choose one from the list." };
  if (astray.trim()) return { problem: unknown(astray, command) };
  const missing = command.options.find(
    (option) => option.required && !given.some((each) => each.option === option && each.text.trim()),
  );
  if (missing) return { problem: `The command needs “${missing.name}”: ${missing.description}` };
  const options = {};
  for (const each of given) {
    const value = valueOf(each, remembered, place);
    if (value === undefined || outside(each.option, value)) {
      const wrong = `“${each.text.trim()}” is not a value “${each.option.name}” can have: ${about(each.option)}`;
      return { problem: /\s[^\s:]+:/.test(each.text) ? unknown(each.text, command) : wrong };
    }
    options[each.option.name] = value;
  }
  return { command: command.path, options };
}

/** Return which words belong to no option of a command, and which options it has. */
function unknown(words, { path, options }) {
  const names = options.map(({ name }) => name).join(", ");
  const wrong = /\s([^\s:]+):/.exec(words)?.[1] ?? words.trim();
  return `/${path} has no option “${wrong}”. ${names ? `It has: ${names}` : "It takes none"}.`;
}

function outside(option, value) {
  const size = option.type === STRING ? value.length : value;
  const [low, high] = option.type === STRING ? ["min_length", "max_length"] : ["min_value", "max_value"];
  return size < option[low] || size > option[high];
}

function valueOf({ option, text }, remembered, place) {
  const typed = text.trim();
  const known =
    remembered.get(`${option.name}\t${typed}`) ??
    values(option, [], place).find(({ name }) => name === typed)?.value;
  if (known !== undefined) return known;
  if (option.choices || [USER, ROLE, BOOLEAN].includes(option.type)) return undefined;
  if (option.type === INTEGER) return /^-?\d+$/.test(typed) ? Number(typed) : undefined;
  return option.type === STRING ? typed : undefined;
}
