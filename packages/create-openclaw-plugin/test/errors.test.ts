import { describe, expect, it, vi } from "vitest";
import {
  CreatePluginError,
  CreatePluginUsageError,
  FilesInTheWayError,
  PluginIdInvalidError,
  ProjectNotWrittenError,
} from "../src/index.js";

const errors = [
  new CreatePluginUsageError("expected one folder"),
  new PluginIdInvalidError("No Id"),
  new FilesInTheWayError("/plugins/one", ["package.json"]),
  new ProjectNotWrittenError("/plugins/one", new Error("no space left on device")),
];

describe("errors", () => {
  it.each(errors)("recognises $code, also from another copy of the package", async (error) => {
    const own = error.constructor as typeof CreatePluginError;
    vi.resetModules();
    const theirs: Readonly<Record<string, unknown>> = await import("../src/errors.js");
    const copy: unknown = Object.create(Reflect.get(Object(theirs[own.name]), "prototype"));
    expect(copy).not.toBeInstanceOf(CreatePluginError);
    for (const value of [error, copy]) {
      expect(CreatePluginError.isInstance(value)).toBe(true);
      expect(own.isInstance(value)).toBe(true);
      expect(errors.filter((other) => (other.constructor as typeof own).isInstance(value))).toEqual(
        [error],
      );
    }
  });

  it("does not recognise other values", () => {
    for (const value of [
      undefined,
      null,
      "CREATE_PLUGIN",
      new Error(),
      { code: "CREATE_PLUGIN" },
    ]) {
      expect(CreatePluginError.isInstance(value)).toBe(false);
    }
  });
});
