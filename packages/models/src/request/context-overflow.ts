/** The part of a failed request that shows whether its conversation was too long. */
export interface OverflowFacts {
  readonly message: string;
  /** HTTP status, when there was a response. */
  readonly status: number | undefined;
  /** Error names, and the codes and types of the provider's errors. */
  readonly kinds: ReadonlySet<string>;
}

/** Numbers of tokens that a provider states with the failure. */
export interface OverflowTokens {
  /** Tokens of the request. */
  readonly used: number | undefined;
  /** Maximum of the model. */
  readonly limit: number | undefined;
}

/** Codes and types of providers for a conversation that is too long. */
const CODES = new Set([
  ...["context_length_exceeded", "context_window_exceeded", "model_context_window_exceeded"],
  ...["model_max_prompt_tokens_exceeded", "exceed_context_size_error", "request_too_large"],
  ...["string_above_max_length", "prompt_too_long", "input_too_long", "max_tokens_exceeded"],
  "RequestEntityTooLarge",
]);

/** Status of a request whose body is too large. */
const PAYLOAD_TOO_LARGE = 413;
/** Characters of a message that are read; some servers answer with a whole page. */
const DECISIVE = 4000;
/** Statuses with which providers reject a request; others say that the provider failed. */
const REJECTIONS: ReadonlySet<number | undefined> = new Set([undefined, 200, 400, 422]);

/** A limit over time: waiting helps, a shorter conversation only by chance. */
const OVER_TIME =
  /\bper[ -]?(?:second|minute|min|hour|day|week|month)\b|\b[tr]p[smhd]\b|rate[ _-]?limit|\bquota\b|\b(?:hourly|daily|weekly|monthly)\b|please wait|too many requests|slow down|try again (?:in|later)/i;
/** The limit of a reply, which the request asks for. */
const OF_OUTPUT =
  /max_?(?:completion|output|new)?_?tokens|(?:output|completion) tokens|maximum (?:output|completion)/i;
/** Names of the content of a request. */
const OF_INPUT =
  /\b(?:inputs?|prompts?|messages?|requested|conversation)\b|context[ _-](?:length|limit|size)/i;
/** The size of something else that a request may have too much of. */
const OF_ANOTHER_PART =
  /^(?:\S+ )?(?:\S*\.)?(?:tools|functions|metadata|stop|user|images?|logit_bias)\b[^.]*\b(?:too (?:long|many|large)|maximum|exceeds?)/i;

/** Wordings of providers that name the context, or a prompt that is too long. */
const WORDINGS: readonly RegExp[] = [
  /max(?:imum)? (?:allowed )?(?:model |context |prompt |input |sequence )+(?:length|size|window|tokens?)/i,
  /\bmax_?(?:model_len|seq_len|input_length|prompt_tokens)\b/i,
  /context[ _-]?(?:length|size|window|limit)\b.{0,80}(?:exceed|overflow|too (?:small|long|large)|not enough|reached|only|full)/is,
  /(?:exceed|overflow|beyond|larger than|longer than|bigger than|more than|greater than|outside|reached).{0,80}context[ _-]?(?:length|size|window|limit)?\b/is,
  /\b(?:prompt|inputs?|conversation|messages?|query|text)\b(?: length| tokens?)?(?: \([^)]*\))?(?: (?:is|are|was|were))? ?too (?:long|large|big)/i,
  /\brequest(?: body| entity)?(?: is)? too (?:long|large|big)/i,
  /payload too large/i,
  /too many (?:input |prompt |total )?tokens/i,
  /exceed\w*.{0,60}(?:token (?:limit|count|budget)|tokens? allowed|number of (?:input |prompt )?tokens|limit of \d[\d,]* tokens)/is,
  /(?:input|prompt|requested?|total|number of)[ -]tokens?\b(?: count)?.{0,80}(?:exceed|too (?:long|large)|greater than|larger than|only supports)/is,
  /token count.{0,60}(?:exceed|only supports|too large|greater than)/is,
  /(?:input|prompt|sequence|request|message)s? length.{0,60}(?:exceed|too (?:long|large)|greater than|larger than)/is,
  /(?:input|prompt|request|conversation|messages?) (?:size )?exceeds? (?:the )?(?:max\w*|model|available|configured|allowed|token|limit)/i,
  /exceeds? the (?:available |maximum )?(?:context|model's context|prompt length|input length)/i,
  /range of (?:input|prompt) (?:length|tokens)/i,
  /(?:longer|larger|bigger|greater) than (?:the (?:maximum |model)|(?:the )?(?:num|n)_ctx\b)/i,
  /must have (?:less|fewer) than [\d,]+ tokens|tokens.{0,30}max_new_tokens.{0,20}must be/is,
  /(?:reduce|shorten) (?:the (?:length|size|number) of )?(?:the |your |either )?(?:input|prompt|messages?|conversation|one\b)/i,
  /输入(?:过|超)长|超过.{0,20}(?:上下文|长度|token)/i,
];

/** Two numbers of tokens, of which the larger one may be the length and the smaller one the maximum. */
const TWO_NUMBERS =
  /(\d[\d,_]{3,})\D{0,60}?(?:>|exceed\w*|over|above|maximum|max|limit|allowed|only|but)\D{0,60}?(\d[\d,_]{3,})/is;

/**
 * Returns true when a provider rejected a request because its conversation is too long: by its status, by its code, by
 * the numbers in its message, or by its words (LLM-200). A limit of tokens over time and a limit of the reply are not.
 * @param facts - the failed request
 */
export function isContextOverflow({ message: whole, status, kinds }: OverflowFacts): boolean {
  const message = whole.slice(0, DECISIVE);
  if (status === PAYLOAD_TOO_LARGE) return true;
  if ([...kinds].some((kind) => CODES.has(kind))) return true;
  if (OVER_TIME.test(message)) return false;
  if (OF_OUTPUT.test(message) && !OF_INPUT.test(message)) return false;
  if (OF_ANOTHER_PART.test(message)) return false;
  if (WORDINGS.some((wording) => wording.test(message))) return true;
  return REJECTIONS.has(status) && exceedsItsNumbers(message);
}

/**
 * Returns the numbers of tokens in the message of a conversation that is too long.
 * @param message - message of the provider
 */
export function overflowTokens(message: string): OverflowTokens {
  const pair = /([\d,]{3,}) tokens > ([\d,]{3,})/.exec(message);
  const used =
    /(?:resulted in|requested|contains?|given|received|input token count(?: is)?|prompt token count of|request has|n_prompt_tokens)\D{0,40}?(\d[\d,]{2,})/i;
  const limit =
    /(?:maximum|limit|only supports up to|at most|allowed|available context size)\D{0,60}?(\d[\d,]{2,})/i;
  return {
    used: toNumber(pair?.[1] ?? used.exec(message)?.[1]),
    limit: toNumber(pair?.[2] ?? limit.exec(message)?.[1]),
  };
}

/** Returns true for a message about tokens with a number that is larger than the maximum behind it. */
function exceedsItsNumbers(message: string): boolean {
  if (!/\btokens?\b/i.test(message)) return false;
  const [, length, maximum] = TWO_NUMBERS.exec(message) ?? [];
  const [used = 0, limit = 0] = [toNumber(length), toNumber(maximum)];
  return limit >= 1000 && used > limit;
}

function toNumber(digits: string | undefined): number | undefined {
  return digits === undefined ? undefined : Number(digits.replaceAll(/[,_]/g, ""));
}
