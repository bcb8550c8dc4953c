/** Argument of a prompt. */
export interface PromptArgument {
  readonly name: string;
  readonly description?: string;
  readonly required: boolean;
}

/** Prompt of a server. */
export interface OfferedPrompt {
  readonly name: string;
  readonly description?: string;
  readonly arguments: readonly PromptArgument[];
}

/** Prompts and resources that a server offers. */
export interface ServerOffers {
  readonly prompts: readonly OfferedPrompt[];
  readonly hasResources: boolean;
}
