import type { JobCommands, JobIntent, JobMessage } from "@openclaw/messaging";
import { OpenClawError } from "@openclaw/plugin-sdk/errors";
import type { MoreBudget } from "./budget-requests.js";
import { type JobViewer, viewerOf } from "./creator.js";
import { JobNotFoundError } from "./errors.js";
import { statesOf } from "./filters.js";
import type { Jobs } from "./jobs.js";
import { listText, logText, shortId, statusText } from "./text.js";

const LONGEST_TITLE = 80;
const MICRO = 1_000_000;

/** Commands about jobs in conversations: `/job`, `/jobs`, `/status <id>`, `/cancel <id>` (JOB-017). */
export class JobConversation implements JobCommands {
  readonly #jobs: () => Jobs;

  /** @param jobs - returns the jobs of the host */
  constructor(jobs: () => Jobs) {
    this.#jobs = jobs;
  }

  async answer(intent: JobIntent, message: JobMessage): Promise<string | undefined> {
    try {
      return await this.#answer(intent, message);
    } catch (error) {
      if (intent.kind === "HelpJob" && JobNotFoundError.isInstance(error)) return undefined;
      if (OpenClawError.isInstance(error) && error.kind !== "internal") return `${error.message}.`;
      throw error;
    }
  }

  async #answer(intent: JobIntent, message: JobMessage): Promise<string> {
    const viewer = viewerOf(message.admitted);
    const jobs = this.#jobs();
    switch (intent.kind) {
      case "CreateJob":
        return await this.#create(intent.description, message);
      case "ListJobs":
        return await this.#list(viewer, intent.filter ?? "all");
      case "CheckJobStatus":
      case "HelpJob":
        return statusText(await jobs.get(intent.jobId ?? "", viewer));
      case "CancelJob": {
        const job = await jobs.cancel(intent.jobId, viewer);
        return `Job "${job.title}" is cancelled.`;
      }
      case "RestartJob": {
        const job = await jobs.restart(intent.jobId, viewer);
        return `Job "${job.title}" works again, as ${shortId(job)}.`;
      }
      case "PromptJob": {
        const job = await jobs.prompt(intent.jobId, viewer, intent.text);
        return `Job "${job.title}" reads it with its next step.`;
      }
      case "ContinueJob": {
        const job = await jobs.answer(intent.jobId, viewer, moreBudget(intent.amount));
        return `Job "${job.title}" continues.`;
      }
      case "LogJob": {
        const { job, moves } = await jobs.log(intent.jobId, viewer);
        return logText(job, moves);
      }
    }
  }

  async #list(viewer: JobViewer, filter: string): Promise<string> {
    const states = statesOf(filter);
    if (states === undefined) {
      return `"${filter}" selects no jobs; use active, done, failed, or a state such as pending.`;
    }
    return listText(await this.#jobs().list(viewer, { states }));
  }

  async #create(description: string, { admitted, route, row }: JobMessage): Promise<string> {
    if (description.trim() === "") return "Nothing was started: write /job and what is to be done.";
    const { sessionKey, agentId } = route;
    const job = await this.#jobs().create({
      ...{ title: titleOf(description), description, agentId, creator: admitted },
      ...{ askedIn: sessionKey, identity: JSON.stringify(["message", row.id]) },
      messageId: row.id,
    });
    return `Job ${shortId(job)} is started. Its result arrives here; /jobs shows how far it is.`;
  }
}

/** Returns what `50000`, `50k` or `$2` adds to a budget. */
function moreBudget(amount: string | undefined): MoreBudget {
  if (amount === undefined) return {};
  if (amount.startsWith("$")) return { cost: Math.round(Number(amount.slice(1)) * MICRO) };
  const isThousands = amount.toLowerCase().endsWith("k");
  return { tokens: Number.parseInt(amount, 10) * (isThousands ? 1000 : 1) };
}

/** Returns the first line of a description, shortened at a word. */
function titleOf(description: string): string {
  const [line = ""] = description.trim().split("\n");
  if (line.length <= LONGEST_TITLE) return line;
  const short = line.slice(0, LONGEST_TITLE);
  const end = short.lastIndexOf(" ");
  return `${end > LONGEST_TITLE / 2 ? short.slice(0, end) : short}…`;
}
