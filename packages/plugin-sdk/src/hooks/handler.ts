import type { DeepReadonly } from "../schema/json.js";
import type { HookContext, HookEvent, HookMap, HookName, HookResult } from "./map.js";

/** Anything at all; `unknown` itself would swallow the other members of a union. */
// biome-ignore lint/complexity/noBannedTypes: with null and undefined it is meant to admit everything
type Anything = {} | null | undefined | void;

/** Read only, so that parts of the event, which are, may be handed back. */
type Answer<Name extends HookName> = HookMap[Name]["result"] extends undefined
  ? Anything
  : DeepReadonly<HookResult<Name>> | undefined | null | void;

/** What the handlers of every hook may answer; where a hook takes no result, whatever they like. */
export type HookAnswers = { [Name in HookName]: Answer<Name> };

/** A handler of the hook; handlers of sync hooks must not return a promise (SDK-013). */
export type HookHandler<Name extends HookName> = HookMap[Name]["kind"] extends "sync"
  ? (event: HookEvent<Name>, context: HookContext<Name>) => HookAnswers[Name]
  : (
      event: HookEvent<Name>,
      context: HookContext<Name>,
    ) => HookAnswers[Name] | Promise<HookAnswers[Name]>;

/**
 * A handler whose answer is known, as `api.on` takes it: a field that the hook does not know, in the
 * answer or one level below, is a compile error that names the field (SDK-013).
 */
export type CheckedHandler<Name extends HookName, Given> = ((
  event: HookEvent<Name>,
  context: HookContext<Name>,
) => Given | MaybeAsync<Name, Given>) &
  CompileError<UnknownField<Name, Given>>;

/** `null` and not `never`: a handler of type `() => void` would be allowed to return a promise. */
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

/** The fields of an object that looks like another hook's result: observers decide nothing. */
type IgnoredField<Given> = [KeyOf<Given>] extends [AnyResultField] ? KeyOf<Given> : never;

type AnyResultField = { [Name in HookName]: KeyOf<HookResult<Name>> }[HookName];

/** Of a record whose names are not known to the compiler nothing can be said. */
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
