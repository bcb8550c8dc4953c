import type { Fields } from "./fields.js";
import { NamePatterns } from "./name-patterns.js";
import type { ScopeOptions } from "./options.js";

type Dimension = keyof ScopeOptions;

/** Checks whether a dispatch is in the scope of a registration (HOOK-035, HOOK-036). */
export class Scope {
  private readonly agentIds: NamePatterns | undefined;
  private readonly toolNames: NamePatterns | undefined;
  private readonly channels: NamePatterns | undefined;

  constructor({ agentIds, toolNames, channels }: ScopeOptions) {
    this.agentIds = agentIds && new NamePatterns(agentIds);
    this.toolNames = toolNames && new NamePatterns(toolNames);
    this.channels = channels && new NamePatterns(channels);
  }

  matches(event: Fields, context: Fields): boolean {
    return this.mismatch(event, context) === undefined;
  }

  /** The first dimension that does not match, if any. */
  mismatch(event: Fields, context: Fields): Dimension | undefined {
    const { agentIds, toolNames, channels } = this;
    if (agentIds !== undefined && !agentIds.match(context.agentId)) return "agentIds";
    if (toolNames !== undefined && !toolNames.match(event.toolName ?? context.toolName)) {
      return "toolNames";
    }
    if (
      channels !== undefined &&
      !channels.match(context.messageProvider) &&
      !channels.match(event.channel) &&
      !channels.match(context.channelId)
    ) {
      return "channels";
    }
    return undefined;
  }
}
