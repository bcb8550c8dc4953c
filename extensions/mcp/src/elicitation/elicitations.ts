import { createHash, randomInt } from "node:crypto";
import type { PluginApprovals, ResolvedApproval } from "@openclaw/plugin-sdk/approvals";
import { errorMessage } from "@openclaw/plugin-sdk/kit";
import type { PluginSecretStore } from "@openclaw/plugin-sdk/store";
import { type Answer, type Elicitation, elicitationText } from "./elicitation.js";
import { readForm } from "./form.js";

/** Time in milliseconds in which a person can answer a call that waits as an elicitation. */
const PARKED_MS = 24 * 3600 * 1000;
/** Letters and digits that are not mistaken for each other. */
const CODE_LETTERS = "abcdefghjkmnpqrstuvwxyz23456789";
const CODE_LENGTH = 6;

/** Elicitation that waits, as it is stored; `work` is what its answer continues. */
export interface StoredElicitation<Work> {
  readonly code: string;
  readonly approvalId: string;
  readonly sessionKey: string;
  readonly server: string;
  readonly elicitation: Elicitation;
  readonly work: Work;
}

/** Dependencies of the elicitations. */
interface ElicitationDependencies<Work> {
  secrets(): PluginSecretStore | undefined;
  readonly approvals: Pick<PluginApprovals, "submit" | "cancel">;
  /**
   * Continues the work of an elicitation, in the process that receives the answer.
   * @param stored - the elicitation, which is not stored any more
   * @param answer - answer of the person
   * @returns text about the outcome, for the agent
   */
  continue(stored: StoredElicitation<Work>, answer: Answer): Promise<string>;
}

/** Decision about the request for approval of an elicitation. */
export type ElicitationDecision = Pick<ResolvedApproval, "id" | "sessionKey" | "decision">;

/** Elicitation to ask. */
export interface AskedElicitation<Work> {
  readonly server: string;
  readonly sessionKey: string;
  readonly elicitation: Elicitation;
  readonly work: Work;
  readonly timeoutMs?: number;
}

/**
 * Elicitations of servers for people. Each is a request for approval in the conversation of its session, which survives a
 * restart (APPR-065): denial declines it, and the fields of a form are given with `/mcp answer CODE`. What the answer continues
 * is stored encrypted and authenticated, so that no other value takes its place.
 */
export class Elicitations<Work> {
  readonly #dependencies: ElicitationDependencies<Work>;
  readonly #asking = new Set<Promise<unknown>>();

  /** @param dependencies - store, approvals and continuation */
  constructor(dependencies: ElicitationDependencies<Work>) {
    this.#dependencies = dependencies;
  }

  /**
   * Asks an elicitation in the conversation of a session.
   * @param asked - the elicitation
   * @returns the stored elicitation, or the reason why no person can answer
   */
  async ask(
    asked: AskedElicitation<Work>,
  ): Promise<StoredElicitation<Work> | { readonly reason: string }> {
    const asking = this.#ask(asked);
    this.#asking.add(asking);
    try {
      return await asking;
    } finally {
      this.#asking.delete(asking);
    }
  }

  /**
   * Answers a form by command.
   * @param sessionKey - session of the command
   * @param code - code of the elicitation
   * @param text - answers
   * @returns text for the person, and text for the agent once the elicitation is answered
   */
  async answer(
    sessionKey: string | undefined,
    code: string,
    text: string,
  ): Promise<{ readonly text: string; readonly agentText?: string }> {
    const found = await readable(() => this.#read(nameOfCode(code)));
    if (found.problem !== undefined) return { text: `Not answered. ${unusable(found.problem)}` };
    const { value: stored } = found;
    // A code of another conversation is as unknown as a wrong one.
    if (stored === undefined || stored.sessionKey !== sessionKey) {
      return { text: unknownCode(code) };
    }
    const { elicitation } = stored;
    if (elicitation.mode === "url") return { text: "Allow or deny this page with its buttons." };
    const read = await readForm(elicitation.schema, text);
    if ("problem" in read) return { text: `Not answered: ${read.problem}.` };
    if (!(await this.#remove(stored))) return { text: unknownCode(code) };
    await this.#dependencies.approvals.cancel(stored.approvalId);
    const answer: Answer = { action: "accept", content: read.content };
    const agentText = await this.#dependencies.continue(stored, answer);
    return { text: `MCP server ${stored.server} receives the input.`, agentText };
  }

  /**
   * Takes the decision about a request for approval as the answer. What is stored about the request and cannot be read, because
   * it was changed, continues nothing.
   * @param approval - request that was decided
   * @returns the text about its outcome for the agent; undefined when the request is not about an elicitation
   */
  async resolved({ id, decision }: ElicitationDecision): Promise<string | undefined> {
    // The decision may come before the elicitation is stored.
    await Promise.allSettled([...this.#asking]);
    const secrets = this.#dependencies.secrets();
    let code: string | undefined;
    const found = await readable(async () => {
      code = await secrets?.get(nameOfApproval(id));
      return code === undefined ? undefined : await this.#read(nameOfCode(code));
    });
    if (found.problem !== undefined) {
      // The request is decided, so that nothing reads them again.
      await secrets?.delete(nameOfApproval(id));
      if (code !== undefined) await secrets?.delete(nameOfCode(code));
      return unusable(found.problem);
    }
    const { value: stored } = found;
    if (stored === undefined || !(await this.#remove(stored))) return undefined;
    const answer = await answerOf(stored.elicitation, decision);
    return await this.#dependencies.continue(stored, answer);
  }

  /**
   * Withdraws an elicitation whose work has ended.
   * @param stored - the elicitation
   */
  async withdraw(stored: StoredElicitation<Work>): Promise<void> {
    await this.#remove(stored);
    await this.#dependencies.approvals.cancel(stored.approvalId);
  }

  async #ask({
    timeoutMs = PARKED_MS,
    ...asked
  }: AskedElicitation<Work>): Promise<StoredElicitation<Work> | { readonly reason: string }> {
    const secrets = this.#dependencies.secrets();
    if (secrets === undefined) return { reason: "this host has no key for secrets" };
    const { server, sessionKey, elicitation } = asked;
    const code = newCode();
    const submitted = await this.#dependencies.approvals.submit({
      title: `MCP server ${server} asks`.slice(0, 80),
      description: elicitationText(elicitation, code),
      severity: "info",
      ...{ sessionKey, timeoutMs },
      payload: { server, code },
    });
    if (submitted.status === "denied") return { reason: submitted.reason };
    const stored: StoredElicitation<Work> = { ...asked, code, approvalId: submitted.id };
    await secrets.set(nameOfCode(code), JSON.stringify(stored));
    await secrets.set(nameOfApproval(submitted.id), code);
    return stored;
  }

  async #read(name: string): Promise<StoredElicitation<Work> | undefined> {
    const text = await this.#dependencies.secrets()?.get(name);
    // Only this class writes the secret, and a changed one cannot be decrypted.
    return text === undefined ? undefined : (JSON.parse(text) as StoredElicitation<Work>);
  }

  /** Returns false for an elicitation that was answered meanwhile, so that no work is continued twice. */
  async #remove({ code, approvalId }: StoredElicitation<Work>): Promise<boolean> {
    const secrets = this.#dependencies.secrets();
    const isMine = (await secrets?.delete(nameOfCode(code))) === true;
    await secrets?.delete(nameOfApproval(approvalId));
    return isMine;
  }
}

/** A form that is allowed without a command is accepted when its defaults are enough. */
async function answerOf(
  elicitation: Elicitation,
  decision: ResolvedApproval["decision"],
): Promise<Answer> {
  if (decision === "deny") return { action: "decline" };
  if (decision === "timeout" || decision === "cancelled") return { action: "cancel" };
  if (elicitation.mode === "url") return { action: "accept" };
  const read = await readForm(elicitation.schema, "");
  return "problem" in read ? { action: "cancel" } : { action: "accept", content: read.content };
}

/** Returns what a read finds, or the problem with what is stored. */
async function readable<Value>(
  read: () => Promise<Value>,
): Promise<{ readonly value: Value; readonly problem?: undefined } | { readonly problem: string }> {
  try {
    return { value: await read() };
  } catch (error) {
    return { problem: errorMessage(error) };
  }
}

function unusable(problem: string): string {
  return `What is stored about the call of an MCP server that asked for input cannot be used: ${problem}. The call was not made again; call the tool again if its result is still needed.`;
}

function unknownCode(code: string): string {
  return `No MCP server waits for input with the code ${code} here.`;
}

function newCode(): string {
  const letter = () => CODE_LETTERS[randomInt(CODE_LETTERS.length)];
  return Array.from({ length: CODE_LENGTH }, letter).join("");
}

function nameOfCode(code: string): string {
  return `elicitation-${createHash("sha256").update(code).digest("hex").slice(0, 40)}`;
}

function nameOfApproval(id: string): string {
  return `asked-${createHash("sha256").update(id).digest("hex").slice(0, 40)}`;
}
