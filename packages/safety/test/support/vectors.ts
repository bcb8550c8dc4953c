import { readFileSync } from "node:fs";

/** One case of a suite; the fields other than `input` and `expected` depend on the suite. */
export interface Vector<Input, Expected, Extra = object> {
  readonly id: string;
  readonly suite: string;
  readonly input: Input;
  readonly expected: Expected;
  readonly extra: Extra;
}

const all = JSON.parse(
  readFileSync(new URL("../vectors/safety.json", import.meta.url), "utf8"),
) as {
  id: string;
  suite: string;
  input: unknown;
  expected: unknown;
}[];

/** Returns the cases of a suite, typed as the suite defines them. */
export function vectorsOf<Input, Expected, Extra = object>(
  suite: string,
): Vector<Input, Expected, Extra>[] {
  return all
    .filter((vector) => vector.suite === suite)
    .map((vector) => ({ ...vector, extra: vector }) as unknown as Vector<Input, Expected, Extra>);
}
