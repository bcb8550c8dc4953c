import type { DeepReadonly } from "../schema/json.js";
import type { HookContext, HookEvent, HookMap, HookName, HookResult } from "./map.js";

/** Any value; `unknown` would absorb the other members of a union. */
// biome-ignore lint/complexity/noBannedTypes: together with null and undefined it admits every value
type Anything = {} | null | undefined | void;

/** Read-only, because a handler may return parts of the event, which is read-only. */
type Answer<Name extends HookName> = HookMap[Name]["result"] extends undefined
  ? Anything
  : DeepReadonly<HookResult<Name>> | undefined | null | void;

/** Allowed return values of handlers by hook; any value where a hook takes no result. */
export type HookAnswers = { [Name in HookName]: Answer<Name> };

/** A handler of the hook; handlers of sync hooks must not return a promise (SDK-013). */
export type HookHandler<Name extends HookName> = HookMap[Name]["kind"] extends "sync"
  ? (event: HookEvent<Name>, context: HookContext<Name>) => HookAnswers[Name]
  : (
      event: HookEvent<Name>,
      context: HookContext<Name>,
    ) => HookAnswers[Name] | Promise<HookAnswers[Name]>;

/**
 * Handler with a checked return type, as accepted by `api.on`. A field that the hook does not define, at the top
 * level of the result or one level below, is a compile error that names the field (SDK-013).
 */
export type CheckedHandler<Name extends HookName, Given> = ((
  event: HookEvent<Name>,
  context: HookContext<Name>,
) => Given | MaybeAsync<Name, Given>) &
  CompileError<UnknownField<Name, Given>>;

/** `null` instead of `never`, with which a handler of type `() => void` could return a promise. */
type MaybeAsync<Name extends HookName, Given> = HookMap[Name]["kind"] extends "sync"
  ? null
  : Promise<Given>;

type CompileError<Field> = [Field] extends [never]
  ? unknown
  : { readonly "this hook takes no result field of that name": Field };

type UnknownField<Name extends HookName, Given> = 0 extends 1 & Given
  ? never
  : HookMap[Name]["result"] extends undefined
    ? IgnoredField<Given>
    : UnknownTopField<HookResult<Name>, Given>;

/** Fields of a returned object that belong to the result of another hook; a hook that only observes ignores them. */
type IgnoredField<Given> = [KeyOf<Given>] extends [AnyResultField] ? KeyOf<Given> : never;

type AnyResultField = { [Name in HookName]: KeyOf<HookResult<Name>> }[HookName];

/** A record with an index signature passes, because the compiler does not know its field names. */
type UnknownTopField<Shape, Given> =
  string extends KeyOf<Given>
    ? never
    : Given extends object
      ? {
          [Key in keyof Given]-?: Key extends KeyOf<Shape>
            ? UnknownNestedField<FieldOf<Shape, Key>, Given[Key]>
            : Key;
        }[keyof Given]
      : never;

type UnknownNestedField<Shape, Given> =
  string extends KeyOf<Shape>
    ? never
    : Given extends readonly unknown[] | ((...args: never[]) => unknown)
      ? never
      : Exclude<KeyOf<Given>, KeyOf<Shape>>;

type KeyOf<Type> = Type extends object ? keyof Type : never;

type FieldOf<Type, Key extends PropertyKey> = Type extends { readonly [Field in Key]?: infer Value }
  ? Value
  : never;
