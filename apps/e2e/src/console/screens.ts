import type { GatewayConnection } from "@openclaw/client";
import type { Page } from "playwright-core";

/** Screen of the console with the seeded state. */
export interface Screen {
  /** Name of its picture, as in the design. */
  readonly name: string;
  /** Path of its view. */
  path(client: GatewayConnection): string | Promise<string>;
  /** Opens what the path does not. */
  open?(page: Page): Promise<unknown>;
  /** Text or part that is there once it is complete. */
  readonly ready: string;
  /** Differences from the design, with their reasons. */
  readonly note: string;
  /** True when it lists the views, so that each further view changes its picture. */
  readonly listsViews?: boolean;
  /** True for the page of a person who is not signed in. */
  readonly isSignedOut?: boolean;
}

const at = (path: string) => () => path;

const request = (words: string) => async (client: GatewayConnection) => {
  const { approvals } = await client.call("approvals.list", {});
  const found = approvals.find(({ text }) => text.includes(words));
  return `/approvals/${found?.id}`;
};

const settled = async (client: GatewayConnection) => {
  const { approvals } = await client.call("approvals.history", { state: "denied" });
  return `/approvals/${approvals[0]?.id}`;
};

const run = async (client: GatewayConnection) => {
  const { runs } = await client.call("runs.list", {
    ...{ sessionKey: "agent:main:notes", states: ["completed"] },
  });
  return `/runs/${runs[0]?.runId}`;
};

const routine = async (client: GatewayConnection) => {
  const { routineId } = await client.call("cron.get", { routine: "morning-report" });
  return `/cron/${routineId}`;
};

const press = (name: RegExp) => (page: Page) => page.getByRole("button", { name }).first().click();

/** Removes the findings about the machine and its clock, and their count, from the health. */
const WITHOUT_MACHINE = `(() => {
  const ofMachine = ["clock", "disk", "port", "proxy", "runtime", "sandbox"];
  for (const row of document.querySelectorAll(".rows.findings .row:not(.head)")) {
    if (ofMachine.includes(row.querySelector("strong").textContent)) row.remove();
  }
  document.querySelector(".rows.findings ~ p").textContent = "30 other checks found no problem.";
})()`;

/** Screens of which there is a picture: one for each view, and one for each kind of dialog. */
export const SCREENS: readonly Screen[] = [
  {
    name: "now",
    note: "The headline counts the last day instead of since the last visit. Requests show their rule and are answered in place unless critical.",
    path: at("/"),
    ready: ".spark",
  },
  {
    name: "approvals",
    note: "The URL of the gateway takes the place of its name.",
    path: at("/approvals"),
    ready: "article .decide",
  },
  {
    name: "approval-edit",
    note: "Same parts in the same places; only the data differs.",
    path: request("src/invoice.ts"),
    ready: "article .diff",
  },
  {
    name: "approval-decided",
    note: "The outcome replaces the answers; the request stays readable.",
    path: settled,
    ready: "article",
  },
  {
    ...{
      name: "approval-always",
      note: "Same parts in the same places; only the data differs.",
      path: request("src/invoice.ts"),
      ready: "dialog[open]",
    },
    open: press(/^Always/),
  },
  {
    ...{
      name: "approval-critical",
      note: "The code of the request is typed instead of the name of the lost branch, because only the code is known for every request.",
      path: request("--force"),
      ready: "dialog[open]",
    },
    open: press(/^Allow once…/),
  },
  {
    name: "approval-history",
    note: "Filters are selects with a label, which a screen reader reads; the text filter comes first, as in every list.",
    path: at("/approvals/history"),
    ready: ".ahist .row.act",
  },
  {
    name: "approval-grants",
    note: "Same parts in the same places; only the data differs.",
    path: at("/approvals/grants"),
    ready: ".grants .row:not(.head)",
  },
  {
    name: "chat",
    note: "Same parts in the same places; only the data differs.",
    path: at("/chat/agent%3Amain%3Anotes"),
    ready: "[role=log] .msg",
  },
  {
    name: "runs",
    note: "Same parts in the same places; only the data differs.",
    path: at("/runs"),
    ready: ".runs .row.act",
  },
  {
    name: "run",
    note: "Same parts in the same places; only the data differs.",
    path: run,
    ready: ".wf .row.act",
  },
  {
    name: "sessions",
    note: "The filter for archived sessions, pins and labels are additions. Model names are without their provider.",
    path: at("/sessions"),
    ready: ".sessions .row.act",
  },
  {
    name: "channels",
    note: "People and devices have separate tabs. A channel is a page with its steps, settings and a test; a person who waits is admitted or left alone, because the gateway has no method to ignore one.",
    path: at("/channels"),
    ready: ".rows.channels .row.act",
  },
  {
    name: "policy",
    note: "The smallest change is a sentence; its button opens the difference of the configuration. Calls that were decided before are found under What if and in their runs.",
    path: at("/policy?tool=exec"),
    ready: ".explain .layers",
  },
  {
    name: "policy-matrix",
    note: "A cell names the layer that decides instead of a sign. Numbers of calls and columns of groups, subagents and sandboxes are left out.",
    path: at("/policy?view=matrix"),
    ready: ".matrix",
  },
  {
    name: "usage",
    note: "The series have other colours than the states. Days without calls keep their place; the filter, the time zone of the days and the budgets are additions.",
    path: at("/usage"),
    ready: ".rows.usage .row[data-total]",
  },
  {
    name: "jobs",
    note: "The board has a column for each state that a job has; what is done is in the list. Background tasks are a tab.",
    path: at("/jobs"),
    ready: ".job",
  },
  {
    name: "routine",
    note: "The five next due times are in local time and UTC; the history says why a due time was silent.",
    path: routine,
    ready: ".nexts li",
  },
  {
    name: "routines",
    note: "The design has the page of one routine only.",
    path: at("/cron"),
    ready: ".rows .row.act",
  },
  {
    name: "memory",
    note: "Same parts in the same places; only the data differs. Earlier versions of a document are not kept.",
    path: at("/memory?path=projects%2Fbilling%2Fdecisions.md"),
    ready: ".mtext h1",
  },
  {
    name: "memory-search",
    note: "Each hit has the ranks by words and by meaning, and the fused one, as a bar.",
    path: at("/memory?view=search&q=rounding+of+amounts"),
    ready: ".rows .row.act",
  },
  {
    name: "hooks",
    note: "Same parts in the same places; only the data differs. Hooks of the configuration are a tab.",
    path: at("/hooks"),
    ready: ".rows .row.act",
  },
  {
    name: "models",
    note: "The order of fallbacks is changed with arrows instead of dragging, for keyboard and finger alike.",
    path: at("/models"),
    ready: ".models .row:not(.head)",
  },
  {
    name: "plugins",
    note: "Same parts in the same places; only the data differs.",
    path: at("/plugins"),
    ready: ".rows .row.act",
  },
  {
    name: "plugin",
    note: "Panels of the plugin are tabs. Permissions are those of the manifest; used ones are not counted.",
    path: at("/plugins?id=guardrails"),
    ready: ".page .sec, .split .sec",
  },
  {
    name: "settings",
    note: "Sections at the left, with a search; the origin of each value is next to it.",
    path: at("/settings/approvals"),
    ready: "fieldset",
  },
  {
    name: "logs",
    note: "Times, counts and lines are those of the run; pictures of them are compared in their parts that stay.",
    path: at("/logs?level=error"),
    ready: ".rows, .empty",
  },
  {
    name: "health",
    note: "Sizes and the free space of the disk are those of the machine.",
    path: at("/health"),
    ready: ".rows.findings .row:not(.head)",
    async open(page) {
      await page.locator(".rows.findings .row:not(.head)").first().waitFor();
      await page.evaluate(WITHOUT_MACHINE);
    },
  },
  {
    ...{
      name: "palette",
      note: "Same parts in the same places; only the data differs.",
      path: at("/sessions"),
      ready: "dialog[open]",
    },
    listsViews: true,
    open: (page) => page.keyboard.press("Control+k"),
  },
  {
    ...{
      name: "shortcuts",
      note: "Same parts in the same places; only the data differs.",
      path: at("/sessions"),
      ready: "dialog[open]",
    },
    listsViews: true,
    open: (page) => page.keyboard.press("?"),
  },
  {
    name: "signin",
    note: "Same parts in the same places; only the data differs.",
    path: at("/"),
    ready: "#token",
    isSignedOut: true,
  },
];
