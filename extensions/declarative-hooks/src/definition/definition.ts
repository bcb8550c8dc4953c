import type { OutboundWebhookSettings } from "@openclaw/plugin-sdk/outbound-webhook";
import type { LinearPattern } from "@openclaw/plugin-sdk/services";
import type { JsonObject } from "@openclaw/plugin-sdk/tools";
import type { BundleEvent } from "../points/bundle-event.js";
import type { PointName } from "../points/point.js";
import type { HookFilter } from "./filter.js";

/** Replacement of a rule. */
export interface Replacement {
  readonly pattern: LinearPattern;
  readonly replacement: string;
}

/** Action that evaluates no code (DHOOK-025, DHOOK-026). */
export interface InlineAction {
  readonly type: "inline";
  readonly when?: LinearPattern | undefined;
  readonly rejectReason?: string | undefined;
  readonly replacements: readonly Replacement[];
  readonly prepend?: string | undefined;
  readonly append?: string | undefined;
  /** Text with `{{content}}`, `{{sender}}`, `{{channel}}` and `{{tool}}`, instead of the other fields. */
  readonly template?: string | undefined;
}

/** Action that runs a program. */
export interface ShellAction {
  readonly type: "shell";
  /** Program and arguments. */
  readonly argv: readonly string[];
  /** Command as written, for approvals. */
  readonly shown: string;
}

/** Action that asks a server. */
export interface HttpAction {
  readonly type: "http";
  readonly url: URL;
  readonly method: "POST" | "PUT" | "GET";
  readonly headers: Readonly<Record<string, string>>;
  /** True repeats the request once after an error of the server or of the network. */
  readonly idempotent: boolean;
}

/** Action that sends the event without waiting. */
export interface WebhookAction {
  readonly type: "webhook";
  readonly settings: OutboundWebhookSettings;
}

/** Stands for the action of a definition that is not valid: it fails, so that the mode of the hook decides. */
export interface InvalidAction {
  readonly type: "invalid";
  /** Every mistake in the definition, with its place. */
  readonly problem: string;
  /** False for a webhook, which never changes or blocks an event. */
  readonly decides: boolean;
}

/** Handler of a bundle of another tool (EXT-540). */
export interface BundleAction {
  readonly type: "bundle";
  readonly event: BundleEvent;
  /** Condition on the tools or reasons of the event. */
  readonly matches: (names: readonly string[]) => boolean;
  /** Further condition on a call, such as `Bash(git:*)`. */
  readonly rule: string | undefined;
  /** True runs it once in each session. */
  readonly once: boolean;
  /** True does not wait for it; its answer is added to the next turn. */
  readonly isAsync: boolean;
  /** Folders of the bundle and of its data. */
  readonly rootDir: string;
  readonly dataDir: string;
  readonly call: BundleCall;
}

/** Program, request, prompt or tool of a handler of a bundle. */
export type BundleCall =
  | {
      readonly type: "command";
      readonly command: string;
      /** Arguments of the program; absent for a command of a shell. */
      readonly args: readonly string[] | undefined;
    }
  | {
      readonly type: "http";
      /** Undefined for a URL that cannot be used, which is a failure. */
      readonly url: URL | undefined;
      readonly headers: Readonly<Record<string, string>>;
    }
  | {
      readonly type: "prompt" | "agent";
      readonly prompt: string;
      readonly model: string | undefined;
    }
  | {
      readonly type: "mcp_tool";
      /** Name of the tool here. */
      readonly tool: string;
      readonly input: JsonObject;
    };

/** Action of a hook. */
export type HookAction =
  | BundleAction
  | InlineAction
  | ShellAction
  | HttpAction
  | WebhookAction
  | InvalidAction;

/** Hook as read from a source (DHOOK-009). */
export interface HookDefinition {
  /** Name with its source, for example `config::no-secrets`. */
  readonly name: string;
  readonly points: readonly PointName[];
  readonly enabled: boolean;
  /** Higher runs first. */
  readonly priority: number;
  readonly filter: HookFilter | undefined;
  readonly action: HookAction;
  readonly timeoutMs: number;
  /** Effect of a failure; that of the point when absent. */
  readonly mode: "open" | "closed" | undefined;
  /** True does not tell the sender of a blocked message why. */
  readonly silent: boolean;
  /** Definition as written, without secrets. */
  readonly written: JsonObject;
}
