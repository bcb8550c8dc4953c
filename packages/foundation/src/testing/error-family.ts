import { expect, vi } from "vitest";
import { OpenClawError } from "../errors.js";

/** Class of an error with a stable code. */
export type ErrorClass = Pick<typeof OpenClawError, "code" | "isInstance" | "prototype">;

/** An error of a package: name of its class, one made with a copy of the package, its code and its data. */
export type ErrorSample<Module> = readonly [
  name: string,
  make: (from: Module) => OpenClawError,
  code: string,
  data: object,
];

/** The errors of a package. */
export interface ErrorFamily<Module> {
  readonly module: Module;
  /** Every class, by name. */
  readonly classes: ReadonlyMap<string, ErrorClass>;
  readonly samples: readonly ErrorSample<Module>[];
  /** Imports another copy of the package. */
  reload(): Promise<Module>;
}

/**
 * Expects that an error has its code and data, and that its class alone recognises it, also one of another copy of the
 * package (SDK-017).
 * @param sample - the error
 * @param family - the errors of its package
 */
export async function expectRecognised<Module>(
  [name, make, code, data]: ErrorSample<Module>,
  { module, classes, samples, reload }: ErrorFamily<Module>,
): Promise<void> {
  const own = classes.get(name) ?? OpenClawError;
  const error = make(module);
  expect(error).toMatchObject({ name, code, ...data });
  vi.resetModules();
  const theirs = make(await reload());
  expect(theirs).not.toBeInstanceOf(own);
  for (const found of [error, theirs]) {
    expect(own.isInstance(found)).toBe(true);
    expect(OpenClawError.isInstance(found)).toBe(true);
    for (const [other] of samples.filter(([each]) => each !== name)) {
      expect(classes.get(other)?.isInstance(found), other).toBe(false);
    }
  }
  for (const other of [new Error("plain"), { code }, null, undefined, code]) {
    expect(own.isInstance(other)).toBe(false);
  }
}

/**
 * Expects that a package exports exactly the errors of its family, with one code each (SDK-017).
 * @param family - the errors of the package
 */
export function expectOneCodeEach<Module extends object>({
  module,
  classes,
  samples,
}: ErrorFamily<Module>): void {
  const exported = Object.keys(module).filter((name) => name.endsWith("Error"));
  expect(exported.toSorted()).toEqual([...classes.keys()].toSorted());
  expect([...classes.keys()].toSorted()).toEqual(samples.map(([name]) => name).toSorted());
  expect(new Set(samples.map(([, , code]) => code)).size).toBe(samples.length);
}
