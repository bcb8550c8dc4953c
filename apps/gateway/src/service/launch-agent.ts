import type { ServiceDefinition } from "./definition.js";
import { markOf } from "./file-mark.js";

/** Name of the agent for `launchctl`. */
export const AGENT_LABEL = "ai.openclaw.gateway";

/** A stop takes the gateway at most 20 s (GW-009). */
const STOP_SECONDS = 30;
const RESTART_SECONDS = 5;

/**
 * Returns the text of a launchd agent, a property list (GW-012).
 * @param service - command, folders and variables
 */
export function launchAgent(service: ServiceDefinition): string {
  const words = [service.node, service.script, ...service.args];
  const variables = Object.entries(service.variables).map(
    ([name, value]) => `    <key>${escaped(name)}</key>\n    ${string(value)}`,
  );
  return `<?xml version="1.0" encoding="UTF-8"?>
<!-- ${markOf(service.version)} -->
<!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
<plist version="1.0">
<dict>
  <key>Label</key>
  ${string(AGENT_LABEL)}
  <key>ProgramArguments</key>
  <array>
${words.map((word) => `    ${string(word)}`).join("\n")}
  </array>
  <key>WorkingDirectory</key>
  ${string(service.workspaceDir)}
  <key>EnvironmentVariables</key>
  <dict>
${variables.join("\n")}
  </dict>
  <key>RunAtLoad</key>
  <true/>
  <key>KeepAlive</key>
  <dict>
    <key>SuccessfulExit</key>
    <false/>
  </dict>
  <key>ThrottleInterval</key>
  <integer>${RESTART_SECONDS}</integer>
  <key>ExitTimeOut</key>
  <integer>${STOP_SECONDS}</integer>
  <key>Umask</key>
  <integer>63</integer>
  <key>StandardOutPath</key>
  ${string(service.outputFile)}
  <key>StandardErrorPath</key>
  ${string(service.outputFile)}
</dict>
</plist>
`;
}

function string(text: string): string {
  return `<string>${escaped(text)}</string>`;
}

function escaped(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}
