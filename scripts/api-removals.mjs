/**
 * Returns what a change of a page of the contract removes or narrows: exported names and parts of their declarations,
 * fields, kinds, defaults and merge rules of hooks, and error codes.
 * @param path - path of the page, which says what it describes
 * @param before - text of the page; undefined when it did not exist
 * @param after - text of the page; undefined when it does not exist
 * @returns sentences without a subject, for example `export Tool is removed`
 */
export function removedParts(path, before, after) {
  const read = path.startsWith("docs/reference/hooks/")
    ? hookParts
    : path === "docs/reference/error-codes.md"
      ? errorParts
      : reportParts;
  const old = read(before ?? "");
  const now = read(after ?? "");
  return [...old].flatMap(([name, lines]) => {
    const kept = now.get(name);
    if (kept === undefined) return [`${name} is removed`];
    const present = new Set(kept);
    return lines.filter((line) => !present.has(line)).map((line) => `${name} loses: ${line}`);
  });
}

/** Returns the lines of each declaration of a report, and the names of a list. */
function reportParts(text) {
  const parts = new Map();
  for (const [, name] of text.matchAll(/^- `(\w+)`$/gm)) parts.set(`export ${name}`, []);
  const [exported = ""] = text.split("\nNot exported, but used");
  for (const [, code] of exported.matchAll(/^```ts\n(.*?)\n```$/gms)) {
    for (const declaration of code.split("\n\n")) {
      const [, name] =
        /^export (?:declare )?(?:abstract )?(?:interface|type|class|const|function|enum) (\w+)/.exec(
          declaration,
        ) ?? [];
      if (name === undefined) continue;
      const lines = declaration.split("\n").map((line) => line.trim());
      const known = parts.get(`export ${name}`) ?? [];
      parts.set(`export ${name}`, [...known, ...lines]);
    }
  }
  return parts;
}

/** Returns kind and defaults, and the row of each field. */
function hookParts(text) {
  const parts = new Map();
  const [, title = ""] = /^# (\w+)$/m.exec(text) ?? [];
  if (title === "") return parts;
  const [kind = ""] = /^\*\*\w+\*\* · .*$/m.exec(text) ?? [];
  parts.set(`hook ${title}`, [kind]);
  let table = "";
  for (const line of text.split("\n")) {
    const [, head] = /^\| (event field|result field) \|/.exec(line) ?? [];
    if (head !== undefined) table = head;
    else if (!line.startsWith("|")) table = "";
    const [, field] = /^\| `(\w+)\??` \|/.exec(line) ?? [];
    if (table !== "" && field !== undefined) parts.set(`${table} ${title}.${field}`, [line]);
  }
  return parts;
}

function errorParts(text) {
  return new Map(
    [...text.matchAll(/^\| (`[A-Z][^|]*`) \|/gm)].flatMap(([, codes]) =>
      [...codes.matchAll(/`(\w+)`/g)].map(([, code]) => [`error code ${code}`, []]),
    ),
  );
}
