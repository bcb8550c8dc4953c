import { readFileSync } from "node:fs";
import { OpenClawError } from "@openclaw/plugin-sdk/errors";
import { describe, expect, it } from "vitest";
import * as errors from "../src/errors.js";
import {
  BackupNotFoundError,
  DoctorUnavailableError,
  HookNotFoundError,
  ListenerMissingError,
  MemoryCallFailedError,
  MemoryUnavailableError,
  NamedPluginError,
  PluginSessionDeniedError,
  PolicyDecisionChangedError,
  PolicyDecisionNotFoundError,
  RepairNotFoundError,
  ReplayReachesOutsideError,
  RunNotFoundError,
  SessionExtensionError,
  SkillInstallRefusedError,
  SkillNotInstalledError,
  SpeechFailedError,
  TaskNotFoundError,
  ToolNotFoundError,
  WorkspaceInStateFolderError,
} from "../src/errors.js";
import * as oauthErrors from "../src/oauth/errors.js";
import {
  OAuthCredentialNotFoundError,
  OAuthLoginError,
  OAuthRequestError,
  OAuthStateError,
} from "../src/oauth/errors.js";
import * as secretErrors from "../src/secrets/errors.js";
import { SecretInvalidError, SecretKeyError, SecretNotFoundError } from "../src/secrets/errors.js";

const samples = [
  new ListenerMissingError("a ticket"),
  new MemoryUnavailableError("memory_search"),
  new MemoryCallFailedError("memory_read", "path: must be a string"),
  new WorkspaceInStateFolderError("/state/work", "/state"),
  new SkillInstallRefusedError("greet", "it is odd", "look at it"),
  new SkillNotInstalledError("gret", "greet"),
  new ToolNotFoundError("exce", "exec"),
  new BackupNotFoundError("openclaw-2026.db"),
  new DoctorUnavailableError(),
  new RepairNotFoundError("file:abc"),
  new TaskNotFoundError("retentoin", "retention"),
  new HookNotFoundError("agent_ends", "agent_end"),
  new NamedPluginError([{ path: "./guard", reason: "it is odd", nextStep: "repair it" }]),
  new PluginSessionDeniedError("guard", "agent:main:main"),
  new SpeechFailedError("the service is away"),
  new SessionExtensionError(),
  new PolicyDecisionNotFoundError("pd_1"),
  new PolicyDecisionChangedError("pd_1"),
  new RunNotFoundError("run"),
  new ReplayReachesOutsideError("guard"),
  new SecretKeyError("there is no key", "restore it"),
  new SecretNotFoundError("KEY", undefined),
  new SecretInvalidError("the value is empty"),
  new OAuthCredentialNotFoundError("mail/bax", ["mail/box"]),
  new OAuthRequestError("mail/box", "the refresh", "the server cannot be reached"),
  new OAuthStateError(),
  new OAuthLoginError("the gateway has no URL for browsers; set gateway.publicUrl"),
];

describe("errors of the gateway", () => {
  it("are recognised by their code, not by their message", () => {
    const classes = samples.map((sample) => sample.constructor as typeof OpenClawError);
    const exported = Object.values({ ...errors, ...secretErrors, ...oauthErrors });
    expect(new Set(classes)).toEqual(new Set(exported.filter(isErrorClass)));
    for (const sample of samples) {
      const known = classes.filter((each) => each.isInstance(sample));
      expect(known).toEqual([sample.constructor]);
      const same = Object.assign(new Error(sample.message), { code: sample.code });
      expect(classes.filter((each) => each.isInstance(same))).toEqual([]);
    }
  });

  it("have unique codes that are documented in docs/reference/error-codes.md", () => {
    const page = readFileSync(
      new URL("../../../docs/reference/error-codes.md", import.meta.url),
      "utf8",
    );
    expect(new Set(samples.map(({ code }) => code)).size).toBe(samples.length);
    for (const { code, name } of samples) {
      expect(page).toContain(`\`${code}\``);
      expect(page).toContain(`\`${name}\``);
    }
  });

  it("carry the values that they report", () => {
    expect(new ToolNotFoundError("exce", "exec")).toMatchObject({ tool: "exce" });
  });
});

function isErrorClass(value: unknown): value is typeof OpenClawError {
  return typeof value === "function" && value.prototype instanceof OpenClawError;
}
