import { readdir, readFile, stat } from "node:fs/promises";
import { join, relative } from "node:path";
import { errorMessage } from "@openclaw/foundation";
import type { InstallFinding } from "@openclaw/plugin-sdk/hooks";

/** Files that a program can execute: sources without type declarations, shell scripts, and files without an extension. */
const SOURCE = /(?:(?<!\.d)\.(?:[cm]?[jt]sx?|sh|bash|zsh|py|ps1|cmd|bat)|(?:^|[\\/])[^.\\/]+)$/;
/**
 * Returns true for a file that a program can execute by its name.
 * @param file - relative path
 */
export function isProgram(file: string): boolean {
  return SOURCE.test(file);
}

/** Maximum size of a source file; a larger one is rejected instead of read into memory. */
const MAXIMUM_FILE_BYTES = 16 * 1024 * 1024;
const NPM_SETTINGS = /(?:^|[\\/])\.npmrc$/;

/** Result of a scan of all files of a plugin, dependencies included. */
export interface PluginScan {
  readonly status: "ok" | "error";
  readonly scannedFiles: number;
  readonly critical: number;
  readonly warn: number;
  readonly info: number;
  readonly findings: InstallFinding[];
  readonly error?: string;
}

interface ScanRule {
  readonly ruleId: string;
  readonly severity: InstallFinding["severity"];
  readonly pattern: RegExp;
  readonly message: string;
}

/**
 * Patterns to report before third-party code runs in the host's process. The scan reads text, so it finds
 * only what is written openly and does not prove that a plugin is harmless.
 */
const RULES: readonly ScanRule[] = [
  {
    ruleId: "credential-path",
    severity: "critical",
    pattern: /[~/\\.](?:ssh[/\\]id_|aws[/\\]credentials|gnupg[/\\]|netrc\b)/,
    message: "refers to a file that contains a user's keys",
  },
  {
    ruleId: "miner",
    severity: "critical",
    pattern: /stratum\+(?:tcp|ssl):|\b(?:coinhive|xmrig)\b/i,
    message: "refers to a mining pool or miner",
  },
  {
    ruleId: "dynamic-code",
    severity: "warn",
    pattern: /\beval\s*\(|\bnew\s+Function\s*\(/,
    message: "executes strings as code",
  },
  {
    ruleId: "child-process",
    severity: "warn",
    pattern: /["'](?:node:)?child_process["']/,
    message: "starts other programs",
  },
  {
    ruleId: "obfuscated",
    severity: "warn",
    pattern: /(?:\\x[0-9a-f]{2}){40}|(?:_0x[0-9a-f]{4,}\W+){6}/i,
    message: "contains obfuscated code",
  },
  {
    ruleId: "all-variables",
    severity: "info",
    pattern: /(?:Object\.(?:keys|entries|assign)\(|\.\.\.)\s*process\.env\b/,
    message: "reads all environment variables",
  },
];

/** Settings that make a package manager start a program of the plugin's choice. */
const NPM_SETTING_RULES: readonly ScanRule[] = [
  {
    ruleId: "npm-program",
    severity: "critical",
    pattern: /^\s*(?:git|script-shell|shell|node-options|node-gyp|editor)\s*=/i,
    message: "makes npm run another program",
  },
  {
    ruleId: "npm-settings",
    severity: "warn",
    pattern: /^\s*[^\s#;]/,
    message: "contains npm settings, which an install ignores",
  },
];

/**
 * Scans all files of a plugin, including `node_modules`. For a dependency, each rule reports its first
 * finding.
 * @param dir - folder of the plugin
 */
export async function scanPlugin(dir: string): Promise<PluginScan> {
  const findings: InstallFinding[] = [];
  const reported = new Set<string>();
  let scannedFiles = 0;
  try {
    const entries = await readdir(dir, { recursive: true, withFileTypes: true });
    const files = entries
      .filter((entry) => entry.isFile())
      .map((entry) => relative(dir, join(entry.parentPath, entry.name)))
      .filter((file) => isProgram(file) || NPM_SETTINGS.test(file))
      .sort();
    for (const file of files) {
      const dependency = /^.*(?:^|[\\/])node_modules[\\/](?:@[^\\/]+[\\/])?[^\\/]+/.exec(file)?.[0];
      for (const finding of await scanFile(dir, file)) {
        const key = `${finding.ruleId} ${dependency}`;
        if (dependency !== undefined && reported.has(key)) continue;
        reported.add(key);
        findings.push(finding);
      }
      scannedFiles += 1;
    }
    return { status: "ok", scannedFiles, ...count(findings), findings };
  } catch (cause) {
    const error = errorMessage(cause);
    return { status: "error", scannedFiles, ...count(findings), findings, error };
  }
}

async function scanFile(dir: string, file: string): Promise<InstallFinding[]> {
  const path = join(dir, file);
  if ((await stat(path)).size > MAXIMUM_FILE_BYTES) {
    const message = `is larger than ${MAXIMUM_FILE_BYTES / 1024 / 1024} MiB and is not scanned`;
    return [{ ruleId: "too-large", severity: "critical", file, line: 1, message }];
  }
  const rules = NPM_SETTINGS.test(file) ? NPM_SETTING_RULES : RULES;
  return scanText(await readFile(path, "utf8"), file, rules);
}

function scanText(text: string, file: string, rules: readonly ScanRule[]): InstallFinding[] {
  const findings: InstallFinding[] = [];
  for (const [index, line] of text.split("\n").entries()) {
    for (const { ruleId, severity, pattern, message } of rules) {
      if (pattern.test(line)) findings.push({ ruleId, severity, file, line: index + 1, message });
    }
  }
  return findings;
}

function count(findings: readonly InstallFinding[]) {
  const of = (severity: InstallFinding["severity"]) =>
    findings.filter((finding) => finding.severity === severity).length;
  return { critical: of("critical"), warn: of("warn"), info: of("info") };
}
