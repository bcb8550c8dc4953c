import { readdir, readFile } from "node:fs/promises";
import { join, relative } from "node:path";
import { errorMessage } from "@openclaw/foundation";
import type { InstallFinding } from "@openclaw/plugin-sdk/hooks";

const SOURCE = /\.[cm]?[jt]sx?$/;
const MAXIMUM_FILES = 2000;
const MAXIMUM_FILE_BYTES = 2 * 1024 * 1024;

/** What a scan of a plugin's own files found. */
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
 * What is worth a look before a stranger's code runs in the host's process. It reads text, so it finds
 * what is written openly; it is no proof that a plugin is harmless.
 */
const RULES: readonly ScanRule[] = [
  {
    ruleId: "credential-path",
    severity: "critical",
    pattern: /[~/\\.](?:ssh[/\\]id_|aws[/\\]credentials|gnupg[/\\]|netrc\b)/,
    message: "names a file that holds a user's keys",
  },
  {
    ruleId: "miner",
    severity: "critical",
    pattern: /stratum\+(?:tcp|ssl):|\b(?:coinhive|xmrig)\b/i,
    message: "names a mining pool or miner",
  },
  {
    ruleId: "dynamic-code",
    severity: "warn",
    pattern: /\beval\s*\(|\bnew\s+Function\s*\(/,
    message: "runs text as code",
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
    message: "holds code that is made unreadable",
  },
  {
    ruleId: "all-variables",
    severity: "info",
    pattern: /(?:Object\.(?:keys|entries|assign)\(|\.\.\.)\s*process\.env\b/,
    message: "reads all environment variables",
  },
];

/**
 * Scans a plugin's own sources; its dependencies are npm's and their lockfile's matter.
 * @param dir - the plugin's folder
 */
export async function scanPlugin(dir: string): Promise<PluginScan> {
  const findings: InstallFinding[] = [];
  let scannedFiles = 0;
  try {
    const entries = await readdir(dir, { recursive: true, withFileTypes: true });
    const files = entries
      .filter((entry) => entry.isFile() && SOURCE.test(entry.name))
      .map((entry) => join(entry.parentPath, entry.name))
      .filter((file) => !relative(dir, file).split(/[\\/]/).includes("node_modules"))
      .sort();
    for (const file of files.slice(0, MAXIMUM_FILES)) {
      const text = await readFile(file, "utf8");
      scannedFiles += 1;
      findings.push(...scanText(text.slice(0, MAXIMUM_FILE_BYTES), relative(dir, file)));
    }
    return { status: "ok", scannedFiles, ...count(findings), findings };
  } catch (cause) {
    const error = errorMessage(cause);
    return { status: "error", scannedFiles, ...count(findings), findings, error };
  }
}

function scanText(text: string, file: string): InstallFinding[] {
  const findings: InstallFinding[] = [];
  for (const [index, line] of text.split("\n").entries()) {
    for (const { ruleId, severity, pattern, message } of RULES) {
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
