import { spawn } from "node:child_process";

/**
 * Opens a link in the browser of the person at this machine.
 * @param link - URL
 * @param environment - environment variables; `BROWSER` names another program
 * @returns false when there is no browser here, for example over SSH or without a display
 */
export async function openInBrowser(
  link: string,
  environment: NodeJS.ProcessEnv,
): Promise<boolean> {
  const command = browserCommand(environment);
  if (command === undefined) return false;
  const [program, ...args] = command;
  const child = spawn(program, [...args, link], {
    stdio: "ignore",
    detached: true,
    env: environment,
  });
  return new Promise((resolve) => {
    child.once("error", () => resolve(false));
    child.once("spawn", () => {
      child.unref();
      resolve(true);
    });
  });
}

function browserCommand(
  environment: NodeJS.ProcessEnv,
): readonly [string, ...string[]] | undefined {
  if (environment.BROWSER) return [environment.BROWSER];
  // A browser would open on the machine, not where the person is.
  if (environment.SSH_CONNECTION) return undefined;
  if (process.platform === "darwin") return ["open"];
  // `start` is a word of the shell, which would also interpret the link.
  if (process.platform === "win32") return ["rundll32", "url.dll,FileProtocolHandler"];
  const hasDisplay = Boolean(environment.DISPLAY || environment.WAYLAND_DISPLAY);
  return hasDisplay ? ["xdg-open"] : undefined;
}
