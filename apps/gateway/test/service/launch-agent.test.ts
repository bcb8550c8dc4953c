import { parse } from "plist";
import { describe, expect, it } from "vitest";
import { launchAgent } from "../../src/service/launch-agent.js";
import { AWKWARD } from "../support/service-definition.js";

describe("launchAgent", () => {
  it("[GW-012] [HOST-037] is a property list with absolute paths that restarts the gateway after a failure", () => {
    expect(parse(launchAgent(AWKWARD))).toEqual({
      Label: "ai.openclaw.gateway",
      ProgramArguments: [AWKWARD.node, AWKWARD.script, "gateway", "run", "--port", "18790"],
      WorkingDirectory: AWKWARD.workspaceDir,
      EnvironmentVariables: AWKWARD.variables,
      RunAtLoad: true,
      KeepAlive: { SuccessfulExit: false },
      ThrottleInterval: 5,
      ExitTimeOut: 30,
      Umask: 0o077,
      StandardOutPath: AWKWARD.outputFile,
      StandardErrorPath: AWKWARD.outputFile,
    });
  });
});
