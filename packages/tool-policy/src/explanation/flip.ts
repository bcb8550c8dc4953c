import { defined } from "@openclaw/foundation";
import type { ApplicableRules, LayerRules } from "../decision/compiled-layer.js";
import {
  type Consideration,
  type Evaluation,
  type EvaluationOptions,
  evaluate,
  type Subject,
} from "../decision/evaluation.js";
import {
  entryValue,
  LAYER_NAMES,
  type LayerName,
  type ListName,
  layerKey,
  type PolicyEntry,
} from "../layers/layer.js";
import { parseEntry, readEntry } from "../matching/entry.js";
import { EntryList } from "../matching/entry-list.js";

/** One change of one list in the configuration. */
export interface PolicyEdit {
  readonly file?: string;
  /** Key of the list, for example `tools.deny`. */
  readonly key: string;
  readonly op: "add" | "remove";
  /** The entry to add, or to remove as it is written. */
  readonly value: string;
  /** The resulting line of the configuration; a sentence when the list is long. */
  readonly text: string;
}

/**
 * Change that reverses a decision: one edit, or suggested steps when one edit is not enough
 * (POL-028).
 */
export type PolicyFlip =
  | ({ readonly kind: "edit" } & PolicyEdit)
  | { readonly kind: "steps"; readonly steps: readonly string[] };

const LONGEST_PRINTED_LIST = 40;
const MAXIMUM_STEPS = 3;

/** Layers whose configuration supports `alsoAllow`. */
const EXTENDABLE: ReadonlySet<LayerName> = new Set([
  "profile",
  "provider",
  "global",
  "agent",
  "subagent",
]);

/** Target for edits of a policy without global rules. */
const UNWRITTEN: LayerRules = { definition: { layer: "global" }, lists: {} };

interface Change {
  readonly target: LayerRules;
  readonly list: ListName;
  readonly op: "add" | "remove";
  readonly value: string;
  /** True when the object already has the list. */
  readonly written: boolean;
  /** The resulting list. */
  readonly entries: readonly PolicyEntry[];
}

function sameObject(left: LayerRules, right: LayerRules): boolean {
  const [a, b] = [left.definition, right.definition];
  return layerKey(a) === layerKey(b) && a.source?.file === b.source?.file;
}

function changeOf(
  applicable: ApplicableRules,
  { target, list, op, value }: Omit<Change, "written" | "entries">,
): Change {
  // One object may belong to several layers, to some of them with only part of its lists.
  const before = LAYER_NAMES.flatMap((layer) => applicable[layer])
    .filter((rules) => sameObject(rules, target))
    .map((rules) => rules.definition[list])
    .find((entries) => entries !== undefined);
  const kept = before ?? [];
  const entries =
    op === "add" ? [...kept, value] : kept.filter((entry) => entryValue(entry) !== value);
  return { target, list, op, value, written: before !== undefined, entries };
}

function toEdit(change: Change): PolicyEdit {
  const { definition } = change.target;
  const key = `${layerKey(definition)}.${change.list}`;
  const values = change.entries.map(entryValue);
  const text =
    values.length <= LONGEST_PRINTED_LIST
      ? `${key}: ${JSON.stringify(values)}`
      : `${change.op} ${JSON.stringify(change.value)} ${change.op === "add" ? "to" : "from"} ${key}`;
  const file = definition.source?.file;
  return { ...defined({ file }), key, op: change.op, value: change.value, text };
}

function describe(change: Change): string {
  const { file, key, op, value } = toEdit(change);
  const place = file === undefined ? "" : ` (${file})`;
  return `${op} ${JSON.stringify(value)} ${op === "add" ? "to" : "from"} ${key}${place}`;
}

/** Returns advice when no change of a list helps. */
function advice({ layers, caps }: Evaluation, value: string): string {
  const quoted = JSON.stringify(value);
  const evaluation =
    layers.find(({ verdict }) => verdict === "deny") ??
    layers.find(({ verdict }) => verdict === "deny-unlisted");
  if (evaluation === undefined) {
    const cap = caps.find(({ verdict }) => verdict === "deny");
    return cap?.list === undefined
      ? "ask as an owner; only owners may use this tool"
      : `name ${quoted} in ${cap.list} of the run`;
  }
  if (evaluation.list === "parentPolicy") {
    return `admit ${quoted} for the parent agent, then spawn the subagent again`;
  }
  const source = evaluation.match?.source ?? evaluation.rules?.lists.allow?.source;
  const key = source?.key ?? `the ${evaluation.layer} layer`;
  return `write ${quoted} under ${key}, which overrides the built-in rule`;
}

function editable(rules: LayerRules): boolean {
  return rules.definition.builtIn !== true;
}

function apply(applicable: ApplicableRules, change: Change, known: ReadonlySet<string>) {
  const { target, list, written, entries } = change;
  const compiled = new EntryList(entries, known);
  const edit = (rules: LayerRules): LayerRules => {
    const { definition, lists } = rules;
    if (!editable(rules) || !sameObject(rules, target)) return rules;
    if (written && definition[list] === undefined) return rules;
    return {
      definition: { ...definition, [list]: entries },
      lists: { ...lists, [list]: compiled },
    };
  };
  const edited: Record<LayerName, readonly LayerRules[]> = { ...applicable };
  for (const layer of LAYER_NAMES) edited[layer] = applicable[layer].map(edit);
  return edited;
}

/** Changes that admit a tool. */
export interface AdmissionPlan {
  readonly changes: readonly PolicyEdit[];
  /**
   * Description of the changes, and of anything they cannot change; used when one change is not
   * enough.
   */
  readonly steps: readonly string[];
  /** True when the changes alone are enough. */
  readonly complete: boolean;
}

/** Searches for changes of the applicable rules, without compiling the policy again. */
export class FlipSearch {
  readonly #subject: Subject;
  readonly #options: EvaluationOptions;
  readonly #applicable: ApplicableRules;
  readonly #evaluation: Evaluation;
  readonly #global: LayerRules;

  /** @param consideration - the decision to reverse */
  constructor({ subject, applicable, options, evaluation }: Consideration) {
    this.#subject = subject;
    this.#options = options;
    this.#evaluation = evaluation;
    const global = applicable.global.find(editable);
    this.#global = global ?? UNWRITTEN;
    this.#applicable =
      global === undefined
        ? { ...applicable, global: [...applicable.global, UNWRITTEN] }
        : applicable;
  }

  /** Returns the change that reverses the decision; undefined when no entry can name the tool. */
  find(): PolicyFlip | undefined {
    const { name } = this.#subject.facts;
    if (readEntry(name).fault !== undefined) return undefined;
    if (parseEntry(name, this.#options.knownNames).kind !== "name") return undefined;
    if (this.#evaluation.allowed) return { kind: "edit", ...toEdit(this.#denial()) };
    const { changes, steps, complete } = this.plan(name);
    const [change] = changes;
    if (complete && change !== undefined && changes.length === 1)
      return { kind: "edit", ...change };
    return { kind: "steps", steps };
  }

  /**
   * Plans how to admit a denied tool: one change if one is enough, else at most three steps.
   * @param value - the entry that must admit the tool
   */
  plan(value: string): AdmissionPlan {
    for (const change of this.#candidates(this.#applicable, value, LAYER_NAMES)) {
      const changed = this.#evaluate(apply(this.#applicable, change, this.#options.knownNames));
      if (changed.allowed) return { changes: [toEdit(change)], steps: [], complete: true };
    }
    const changes: PolicyEdit[] = [];
    const steps: string[] = [];
    let current = this.#evaluation;
    let applicable = this.#applicable;
    while (!current.allowed && steps.length < MAXIMUM_STEPS) {
      const next = this.#advance(current, applicable, value);
      if (next === undefined) {
        steps.push(advice(current, value));
        return { changes, steps, complete: false };
      }
      changes.push(toEdit(next.change));
      steps.push(describe(next.change));
      applicable = next.applicable;
      current = next.evaluation;
    }
    return { changes, steps, complete: current.allowed };
  }

  /** Returns a deny entry in the object of the rule that admits the tool, else a global one. */
  #denial(): Change {
    const deciding = this.#evaluation.layers.find((layer) => layer.verdict === "allow")?.rules;
    // A deny list written for the sandbox would replace the built-in one.
    const beside =
      deciding !== undefined && editable(deciding) && deciding.definition.layer !== "sandbox";
    const target = beside ? deciding : this.#global;
    const { name } = this.#subject.facts;
    return changeOf(this.#applicable, { target, list: "deny", op: "add", value: name });
  }

  /** Finds one change that removes the current reason for the denial; another reason may follow. */
  #advance(current: Evaluation, applicable: ApplicableRules, value: string) {
    const { decidedBy } = current;
    if (decidedBy.kind === "cap") return undefined;
    const layers = decidedBy.kind === "layer" ? [decidedBy.layer] : LAYER_NAMES;
    const before = JSON.stringify(decidedBy);
    for (const change of this.#candidates(applicable, value, layers)) {
      const changed = apply(applicable, change, this.#options.knownNames);
      const evaluation = this.#evaluate(changed);
      const moved = change.op === "remove" || JSON.stringify(evaluation.decidedBy) !== before;
      if (moved) return { change, applicable: changed, evaluation };
    }
    return undefined;
  }

  #candidates(
    applicable: ApplicableRules,
    value: string,
    layers: readonly LayerName[],
  ): readonly Change[] {
    const all = LAYER_NAMES.flatMap((layer) => applicable[layer]);
    const removals: Change[] = [];
    const extensions: Change[] = [];
    const admissions: Change[] = [];
    for (const target of layers.flatMap((layer) => applicable[layer]).filter(editable)) {
      const { definition, lists } = target;
      const denied = lists.deny?.find(this.#subject.facts);
      if (denied !== undefined) {
        const entry = { target, list: "deny", op: "remove", value: denied.value } as const;
        removals.push(changeOf(applicable, entry));
      }
      const add = (list: ListName) => changeOf(applicable, { target, list, op: "add", value });
      // An object may not have both lists (POL-021); it may belong to several layers.
      const holdsAllow = all.some(
        (rules) => rules.definition.allow !== undefined && sameObject(rules, target),
      );
      if (EXTENDABLE.has(definition.layer) && !holdsAllow) extensions.push(add("alsoAllow"));
      if (lists.allow !== undefined) admissions.push(add("allow"));
    }
    return [...removals, ...extensions, ...admissions];
  }

  #evaluate(applicable: ApplicableRules): Evaluation {
    return evaluate(this.#subject, applicable, this.#options);
  }
}
