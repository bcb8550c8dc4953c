import { contextFieldsOf, type FieldDescription, HOOK_CATALOG } from "@openclaw/plugin-runtime";
import type { CataloguedHookName } from "@openclaw/plugin-sdk/hooks";

type Fields = Readonly<Record<string, FieldDescription>>;

/**
 * Compares what a handler was given with what the catalog says of its hook.
 * @param hook - a catalogued hook
 * @param event - first argument of the handler
 * @param context - second argument of the handler
 * @returns one line for each field that is missing, of a wrong type, or not in the catalog
 */
export function fieldProblems(
  hook: CataloguedHookName,
  event: object,
  context: object,
): readonly string[] {
  return [
    ...problemsOf("event", event, { ...HOOK_CATALOG[hook].event, context: CONTEXT }),
    ...problemsOf("context", context, contextFieldsOf(hook)),
    ...(Reflect.get(event, "context") === context ? [] : ["event.context is another object"]),
  ];
}

/** Every event leads to the context of its handler. */
const CONTEXT: FieldDescription = {
  type: "the handler's context",
  required: true,
  isolation: undefined,
  accepts: (value) => typeof value === "object" && value !== null,
};

function problemsOf(place: "event" | "context", given: object, fields: Fields): string[] {
  const wrong = Object.entries(fields).flatMap(([name, { type, required, accepts }]) => {
    const value: unknown = Reflect.get(given, name);
    if (value === undefined) return required ? [`${place}.${name} is missing`] : [];
    return accepts(value) ? [] : [`${place}.${name} is not of type ${type}`];
  });
  const unknown = namesOf(given).filter((name) => !Object.hasOwn(fields, name));
  return [...wrong, ...unknown.map((name) => `${place}.${name} is not in the catalog`)];
}

/** Handlers' arguments are views; what they hold they tell as plain objects. */
function namesOf(given: object): string[] {
  const plain = "toJSON" in given && typeof given.toJSON === "function" ? given.toJSON() : given;
  return Object.keys(plain);
}
