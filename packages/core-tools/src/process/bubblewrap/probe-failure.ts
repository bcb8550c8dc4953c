import { access, readFile } from "node:fs/promises";

/** Availability of the sandbox, with the reason when it is not available. */
export type SandboxState =
  | {
      readonly active: true;
      /** Sentence about a limit that this machine does not offer. */
      readonly notice?: string;
    }
  | { readonly active: false; readonly cause: string; readonly remedy: string };

/**
 * Returns the cause and the remedy of a probe that failed.
 * @param output - output of bubblewrap; may be empty
 */
export async function probeFailure(output: string): Promise<SandboxState> {
  const said = output === "" ? "the probe failed" : output;
  if (await isSet("/proc/sys/kernel/apparmor_restrict_unprivileged_userns", "1")) {
    return inactive(
      `AppArmor forbids unprivileged user namespaces (${said})`,
      "allow them for bwrap with an AppArmor profile, or set kernel.apparmor_restrict_unprivileged_userns=0",
    );
  }
  if (await isSet("/proc/sys/kernel/unprivileged_userns_clone", "0")) {
    return inactive(
      `the kernel forbids unprivileged user namespaces (${said})`,
      "set kernel.unprivileged_userns_clone=1",
    );
  }
  const marks = ["/.dockerenv", "/run/.containerenv"];
  if ((await Promise.all(marks.map(exists))).includes(true)) {
    return inactive(
      `the container forbids namespaces (${said})`,
      "start the container with a seccomp profile that allows user namespaces and with an unmasked /proc",
    );
  }
  return inactive(`bubblewrap failed (${said})`, "run bwrap by hand to find the cause");
}

function inactive(cause: string, remedy: string): SandboxState {
  return { active: false, cause, remedy };
}

async function isSet(file: string, value: string): Promise<boolean> {
  return (await readFile(file, "utf8").catch(() => "")).trim() === value;
}

function exists(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  );
}
