import { describe, expect, it } from "vitest";
import {
  ConfigurationError,
  formatProblem,
  MessageRefusedError,
  PortTakenError,
  StateFolderError,
} from "../src/errors.js";

const problem = { key: "gateway.port", message: "is odd", file: "a.json", line: 2, column: 3 };

describe("the errors of a gateway", () => {
  it("are known by their code, and an error of the same words is none of them", () => {
    const errors = [
      new ConfigurationError([problem]),
      new StateFolderError("/state", "is full"),
      new PortTakenError("127.0.0.1", 80),
      new MessageRefusedError("empty", "no text"),
    ];
    const known = (error: unknown) => [
      ConfigurationError.isInstance(error),
      StateFolderError.isInstance(error),
      PortTakenError.isInstance(error),
      MessageRefusedError.isInstance(error),
    ];
    expect(errors.map(({ code }) => code)).toEqual([
      "CONFIG_INVALID",
      "STATE_FOLDER_UNUSABLE",
      "PORT_TAKEN",
      "MESSAGE_REFUSED",
    ]);
    errors.forEach((error, index) => {
      expect(known(error)).toEqual(errors.map((_, position) => position === index));
      expect(known(new Error(error.message))).not.toContain(true);
    });
  });

  it("say what to do next", () => {
    expect(new ConfigurationError([problem]).message).toBe(
      "the configuration has an error:\n  a.json:2:3 gateway.port: is odd\nMend the file and check it with `openclaw config validate`.",
    );
    expect(new StateFolderError("/state", "is full").message).toContain("OPENCLAW_STATE_DIR");
    expect(new PortTakenError("127.0.0.1", 80).message).toMatch(/port 80 on 127\.0\.0\.1.*--port/);
  });

  it("leave out the key of a problem of the whole file", () => {
    expect(formatProblem({ ...problem, key: "", suggestion: "write {}" })).toBe(
      "a.json:2:3 is odd; write {}",
    );
  });
});
