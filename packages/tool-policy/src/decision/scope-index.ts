import type { LayerScope } from "../layers/layer.js";
import { normalizeName } from "../matching/tool-name.js";
import type { PolicyContext } from "./context.js";

/** From the widest to the narrowest: a scope that names a later field is the narrower one. */
const SCOPE_FIELDS = [
  "channel",
  "groupId",
  "agentId",
  "profile",
  "provider",
  "model",
  "senderName",
  "senderId",
] as const;

type ScopeField = (typeof SCOPE_FIELDS)[number];

/** The fields of a context that scopes compare. */
export type ScopeValues = Readonly<Record<ScopeField, string | undefined>> & {
  readonly subagentDepth: number;
};

const ANY = "*";

function withoutProvider(model: string, provider: string | undefined): string {
  const prefix = `${provider}/`;
  return model.startsWith(prefix) ? model.slice(prefix.length) : model;
}

function normalizeFields(
  fields: Partial<Readonly<Record<ScopeField, string>>>,
): Record<ScopeField, string | undefined> {
  const name = (value: string | undefined) =>
    value === undefined ? undefined : normalizeName(value);
  const provider = name(fields.provider);
  const model = name(fields.model);
  return {
    channel: name(fields.channel),
    groupId: fields.groupId,
    agentId: name(fields.agentId),
    profile: name(fields.profile),
    provider,
    model: model === undefined ? undefined : withoutProvider(model, provider),
    senderName: name(fields.senderName),
    senderId: fields.senderId,
  };
}

/** Returns the fields of a context that scopes compare. */
export function scopeValues(context: PolicyContext): ScopeValues {
  return { ...normalizeFields(context), subagentDepth: context.subagentDepth };
}

/** Returns the normal form of a scope: fields in fixed order, names normalized. */
export function normalizeScope(scope: LayerScope): LayerScope {
  const fields = normalizeFields(scope);
  const depth = scope.minimumSubagentDepth;
  return Object.fromEntries([
    ...SCOPE_FIELDS.flatMap((field) =>
      fields[field] === undefined ? [] : [[field, fields[field]] as const],
    ),
    ...(depth === undefined ? [] : [["minimumSubagentDepth", depth] as const]),
  ]);
}

interface Shape<T> {
  readonly narrowness: number;
  readonly exact: readonly ScopeField[];
  readonly any: readonly ScopeField[];
  readonly members: Map<string, T[]>;
}

/** An entry of a scope index. */
export interface Scoped {
  readonly when: LayerScope;
  readonly slot: string | undefined;
  readonly order: number;
}

/** Joins values so that different values never give the same string. */
function join(values: readonly (string | undefined)[]): string {
  return values.map((value) => `${value?.length}:${value}`).join("");
}

function shapeOf<T>(scope: LayerScope): Shape<T> {
  const exact: ScopeField[] = [];
  const any: ScopeField[] = [];
  let narrowness = 0;
  for (const [index, field] of SCOPE_FIELDS.entries()) {
    const value = scope[field];
    if (value === undefined) continue;
    (value === ANY ? any : exact).push(field);
    narrowness += 4 ** index * (value === ANY ? 1 : 2);
  }
  return { narrowness, exact, any, members: new Map() };
}

/**
 * Returns whether a depth reaches the minimum. A depth that is not a number counts as deep, so that
 * the limit still applies.
 */
function reaches(values: ScopeValues, { minimumSubagentDepth = 0 }: LayerScope): boolean {
  return !(values.subagentDepth < minimumSubagentDepth);
}

/**
 * Finds the members that apply to a context without checking each one: members whose scopes name
 * the same fields share one table.
 */
export class ScopeIndex<T extends Scoped> {
  readonly #additional: Shape<T>[] = [];
  /** Per slot, the narrowest shape first. */
  readonly #slots = new Map<string, Shape<T>[]>();

  /** @param members - members with normalized scopes */
  constructor(members: readonly T[]) {
    for (const member of members) {
      let shapes = this.#additional;
      if (member.slot !== undefined) {
        shapes = this.#slots.get(member.slot) ?? [];
        this.#slots.set(member.slot, shapes);
      }
      const shape = shapeOf<T>(member.when);
      const known = shapes.find((each) => each.narrowness === shape.narrowness);
      const target = known ?? shape;
      if (known === undefined) shapes.push(shape);
      const key = join(target.exact.map((field) => member.when[field]));
      const sharing = target.members.get(key);
      if (sharing === undefined) target.members.set(key, [member]);
      else sharing.push(member);
    }
    for (const shapes of this.#slots.values()) {
      shapes.sort((left, right) => right.narrowness - left.narrowness);
    }
  }

  /**
   * Returns the members that apply, in their order.
   * @param values - the context
   */
  resolve(values: ScopeValues): readonly T[] {
    const found: T[] = [];
    for (const shape of this.#additional) found.push(...this.#matching(shape, values));
    for (const shapes of this.#slots.values()) {
      for (const shape of shapes) {
        const members = this.#matching(shape, values);
        found.push(...members);
        if (members.length > 0) break;
      }
    }
    return found.sort((left, right) => left.order - right.order);
  }

  #matching(shape: Shape<T>, values: ScopeValues): readonly T[] {
    if (shape.any.some((field) => values[field] === undefined)) return [];
    const key = join(shape.exact.map((field) => values[field]));
    const members = shape.members.get(key) ?? [];
    return members.every(({ when }) => reaches(values, when))
      ? members
      : members.filter(({ when }) => reaches(values, when));
  }
}
