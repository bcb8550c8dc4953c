import type { CataloguedHookName } from "@openclaw/plugin-sdk/hooks";
import { HOOK_CATALOG, HOOK_GROUPS, phaseOf } from "./catalog.js";
import { CONTEXT_GROUPS, type ContextGroups, handlerContext } from "./context.js";
import type { FieldDescription, FieldIsolation } from "./field.js";
import type { CustomMerge } from "./merge.js";

/** An entry of the catalog as the page shows it, without the types of its fields. */
interface ShownEntry {
  readonly kind: string;
  readonly summary: string;
  readonly step: string;
  readonly failure: "open" | "closed";
  readonly deadlineMs?: number;
  readonly contextGroup: keyof ContextGroups;
  readonly context: Fields;
  readonly event: Fields;
  readonly result?: Fields;
  readonly merge?: Readonly<Record<string, string | CustomMerge<unknown>>>;
  readonly terminal?: readonly { readonly field: string; readonly value: unknown }[];
  readonly closedFailure?: string;
}

type Fields = Readonly<Record<string, FieldDescription>>;

const INTRODUCTION = `# Hooks

<!-- Generated from the hook catalog of @openclaw/plugin-runtime; change the catalog, not this page. -->

A plugin registers a handler with \`api.on(name, handler, options?)\`, or by lifecycle phase or alias
with \`api.lifecycle.on(phase, handler, options?)\`. Handlers are called with \`(event, context)\`, and
\`event.context === context\`. A field marked \`?\` may be absent; every other field is always set.

| kind | how its handlers run |
|---|---|
| observe | concurrently, started in order of priority; return values are ignored |
| rewrite | one after another; each sees the rewrites of earlier handlers, and results are merged |
| decide | like rewrite, and a result with a terminal value ends the dispatch |
| claim | one after another, until one answers \`handled: true\` |
| sync | like rewrite, without waiting: a handler must not return a promise |

Handlers run by descending \`priority\` (default 0), those of equal priority in the order of their
registration. A handler that throws or misses its deadline is skipped, logged and counted on a hook
whose failures are *open*; on one whose failures are *closed* its failure is a denial. \`mode\` and
\`onTimeout\` change that for one registration, \`timeoutMs\` its deadline; an operator's
\`plugins.entries.<id>.hooks.timeouts\` and \`timeoutMs\` go before it.

The merge of a result field: *first* and *last* take the first or last defined value, *concat* joins
strings with a blank line between, *append* joins lists, *any* is true when one value is true, *assign*
lays objects over each other field by field. A later handler sees the event with what was rewritten
so far.

Event and context are plain objects that belong to one call. An event field marked *own copy* is copied
for each handler, one marked *frozen* is shared and cannot be changed, one marked *own array of frozen
items* is an array of the handler's own whose items cannot be changed. A write to what is frozen throws a
\`TypeError\`. Nothing that a handler writes is seen elsewhere: only its result counts.
`;

const STEPS = `## Steps

Every hook names the step at which the host fires it, in the order of these pipelines.

| steps | pipeline |
|---|---|
| G1 to G10 | boot and stop of the host |
| I1 to I9 | a message on its way in, up to its outcome |
| S1 to S4 | a session begins, is reset, ends |
| T1 to T17 | an agent's turn |
| R1 to R4 | a search of memory |
| X1 to X15 | a tool call |
| C1 to C4 | compaction of a session's history |
| U1 to U7 | a subagent's session |
| O1 to O7 | a reply on its way out |
| K1 | a change of a scheduled job |
| N1 to N4 | an installation |
`;

const ALIASES_NOTE = `\`agent.post\` and its alias \`postRequest\` mean \`agent_end\`, the end of an agent's run;
\`request.post\` and its alias \`postRequestIngress\` mean \`request_post\`, which fires once per inbound
message when its outcome is known.
`;

/**
 * Returns the reference page of all hooks, generated from the catalog alone (HCR-002): how handlers run, the table of
 * hooks with a link to the page of each, and what hooks share.
 * @returns Markdown
 */
export function renderHookReference(): string {
  const parts = [INTRODUCTION, renderOverview(), STEPS, renderPhases(), renderContexts()];
  return `${parts.join("\n").trimEnd()}\n`;
}

function renderOverview(): string {
  const tables = HOOK_GROUPS.map(({ title, names }) => {
    const rows = names.map((name) => {
      const entry: ShownEntry = HOOK_CATALOG[name];
      return `| [\`${name}\`](hooks/${name}.md) | ${entry.kind} | ${deadline(entry)} | ${entry.failure} | ${entry.step} |`;
    });
    return `### ${title}

| hook | kind | default deadline | failures | step |
|---|---|---|---|---|
${rows.join("\n")}
`;
  });
  return `## All hooks

${tables.join("\n")}`;
}

function renderPhases(): string {
  const rows = HOOK_GROUPS.flatMap(({ names }) =>
    names.flatMap((name) => {
      const phase = phaseOf(name);
      return phase === undefined
        ? []
        : [`| \`${phase.phase}\` | \`${phase.alias}\` | \`${name}\` |`];
    }),
  );
  return `## Lifecycle phases

| phase | alias | hook |
|---|---|---|
${rows.join("\n")}

${ALIASES_NOTE}`;
}

function renderContexts(): string {
  const groups = Object.entries(CONTEXT_GROUPS).filter(
    ([, fields]) => Object.keys(fields).length > 0,
  );
  return `## Contexts

Every context has these fields:

${table(handlerContext, "context field")}
The contexts that hooks share add these:
${groups.map(([group, fields]) => `\n### ${group} context\n\n${table(fields, "context field")}`).join("")}`;
}

/**
 * Returns what the page of one hook says of it, without a heading: summary, kind, fields, context and result (HCR-002).
 * @returns Markdown with links relative to the folder `hooks` next to the reference page
 */
export function renderHook(name: CataloguedHookName): string {
  const entry: ShownEntry = HOOK_CATALOG[name];
  const phase = phaseOf(name);
  const facts = [
    `**${entry.kind}**`,
    `step ${entry.step}`,
    `deadline ${deadline(entry)}`,
    `failures ${entry.failure}`,
    ...(phase === undefined ? [] : [`phase \`${phase.phase}\`, alias \`${phase.alias}\``]),
  ];
  const sections = [`${entry.summary}\n`, `${facts.join(" · ")}\n`];
  sections.push(table(entry.event, "event field", (field) => isolationText(field)));
  sections.push(contextText(entry));
  if (entry.result !== undefined) {
    const terminal = new Map(entry.terminal?.map(({ field, value }) => [field, value]));
    sections.push(
      table(entry.result, "result field", (_field, key) => {
        const rule = entry.merge?.[key];
        const merge =
          rule === undefined ? "the claim's own" : typeof rule === "string" ? rule : rule.rule;
        const value = JSON.stringify(terminal.get(key));
        return terminal.has(key) ? `${merge}; \`${value}\` ends the dispatch` : merge;
      }),
    );
  }
  if (entry.closedFailure !== undefined) {
    sections.push(`A failure under \`fail-closed\`: ${entry.closedFailure}.\n`);
  }
  return sections.join("\n");
}

function contextText({ contextGroup, context }: ShownEntry): string {
  const shared =
    contextGroup === "none"
      ? []
      : [`the [${contextGroup} context](../hooks.md#${contextGroup}-context)`];
  const own = Object.entries(context).map(
    ([key, field]) => `\`${label(key, field)}: ${field.type}\``,
  );
  const whole = [...shared, ...(own.length === 0 ? [] : [own.join(", ")])];
  return `Context: ${whole.join(" and ")}.\n`;
}

function table(
  fields: Fields,
  title: string,
  note?: (field: FieldDescription, key: string) => string,
): string {
  const rows = Object.entries(fields).map(([key, field]) => {
    const cells = [`\`${label(key, field)}\``, `\`${field.type.replaceAll("|", "\\|")}\``];
    return `| ${[...cells, ...(note === undefined ? [] : [note(field, key)])].join(" | ")} |`;
  });
  const noted = note !== undefined;
  const heads = [
    title,
    "type",
    ...(noted ? [title === "event field" ? "handed over as" : "merge"] : []),
  ];
  return `| ${heads.join(" | ")} |\n|${"---|".repeat(heads.length)}\n${rows.join("\n")}\n`;
}

function label(key: string, { required }: FieldDescription): string {
  return required ? key : `${key}?`;
}

const ISOLATIONS: Readonly<Record<FieldIsolation, string>> = {
  copy: "own copy",
  frozen: "frozen",
  "frozen-items": "own array of frozen items",
};

function isolationText({ isolation }: FieldDescription): string {
  if (isolation === undefined) return "value";
  return ISOLATIONS[isolation];
}

function deadline({ deadlineMs }: ShownEntry): string {
  return deadlineMs === undefined ? "none" : `${deadlineMs / 1000} s`;
}
