/** Signs in the form of a sentence that it asks about what only its sender knows, or about what everybody may know. */
export interface MessageTraits {
  /** The other signs are those of English, and false in another language. */
  readonly isEnglish: boolean;
  /** Mentions its sender: "where did we stay", "my passport". */
  readonly isPersonal: boolean;
  /** Orders a text, or an answer that is not about its sender: "translate", "tell me", "write". */
  readonly isOrder: boolean;
  /** Greets, thanks, or agrees: "good morning", "ok, try again". */
  readonly isSmallTalk: boolean;
  /** Asks for general knowledge: "what is the", without a sign of its sender. */
  readonly isGeneral: boolean;
  /** Mentions the agent: "what can you do". */
  readonly isToAgent: boolean;
  /** Asks for one of those that its sender knows: "which charities", "whose film". */
  readonly isChoice: boolean;
  /** Mentions any thing of a kind: "an avocado". */
  readonly isIndefinite: boolean;
  /** Names that do not begin a sentence, in lower case. */
  readonly names: readonly string[];
}

const ENGLISH =
  /\b(?:the|and|of|to|for|with|that|from|by|this|ha[sv]e?|not|you|your|my|is|are|be|they|what|where|which|how|whose?|when|why|do|does|did|were|could|should|would|our|we|any|there|thanks?|hello|please)\b|\bI\b/gi;
/** Share of such words from which a text is English. */
const ENGLISH_SHARE = 0.1;
const PERSONAL = /\b(?:i|my|mine|we|us|our|ours)\b/i;
/** Orders a new text or a result, for the sender or for others. */
const PRODUCE =
  /^(?:please |can you |could you )?(?:calculate|convert|create|define|draft|explain|fix|flip|generate|make|roll|translate|write)\b/i;
/** Orders an answer, which may be in a note when it is about the sender. */
const ANSWER =
  /^(?:please |can you |could you )?(?:compare|describe|give me|help|list|name|summari[sz]e|tell me)\b/i;
/** A polite beginning, which says nothing about what is asked. */
const FRAME =
  /^(?:(?:and|hello|hey|hi|ok|please|so|thanks)\b[,!]? *)*(?:(?:can|could|do|will|would) you )?(?:please )?(?:(?:check|find out|know|look up|recall|remember|remind me|say|tell me|let me know) (?:again )?)?(?=(?:what|when|where|which|who|whose|why|how|if|whether|my|our)\b)/i;
/** Words up to which a message has one intention. */
const SHORT_MESSAGE = 20;
/** A longer message that begins like small talk has something else behind it. */
const SMALL_TALK_WORDS = 6;
const SMALL_TALK =
  /^(?:bye|cool|good (?:afternoon|evening|morning|night)|great|he(?:llo|y)|hi|lol|never ?mind|nice|no|no problem|ok(?:ay)?|please (?:be|go on|try)|perfect|sorry|stop|sure|thanks?|thank you|try again|wait|welcome|well done|yes|yep)\b/i;
const GENERAL =
  /^(?:how|what|when|where|which|who|why) (?:is|are|do|does|was|were|did) (?:an?|the)\b/i;
const TO_AGENT = /\byour?\b/i;
const CHOICE = /^(?:which|whose|who|at what|until when|on which)\b/i;
const INDEFINITE = /\ban?\b/i;
/** A word with a capital letter that does not begin a sentence; a word of capital letters alone may be a loud one. */
const NAME = /(?<!^|[.!?:\n]\s*)\b[A-Z][a-z]+/g;

/**
 * Returns the sentences of a long message, each of which may ask about a note; a short message is one.
 * @param message - text of a user
 */
export function sentencesOf(message: string): string[] {
  if (message.trim().split(/\s+/).length <= SHORT_MESSAGE) return [message];
  const sentences = message.split(/(?<=[.!?\u3002\uff01\uff1f])\s+|\n+/u);
  return sentences.map((sentence) => sentence.trim()).filter((sentence) => sentence !== "");
}

/**
 * Returns the signs of a sentence.
 * @param text - the sentence
 */
export function traitsOf(text: string): MessageTraits {
  const trimmed = text.trim().replace(FRAME, "");
  const isSmallTalk = SMALL_TALK.test(trimmed) && trimmed.split(/\s+/).length <= SMALL_TALK_WORDS;
  const isProduced = PRODUCE.test(trimmed);
  const isAnswer = ANSWER.test(trimmed);
  const isEnglish = isProduced || isAnswer || isSmallTalk || areMostlyEnglish(trimmed);
  const isPersonal = isEnglish && PERSONAL.test(trimmed);
  return {
    isEnglish,
    isPersonal,
    isOrder: isProduced || (isAnswer && !isPersonal),
    isSmallTalk,
    isGeneral: isEnglish && !isPersonal && GENERAL.test(trimmed),
    isToAgent: isEnglish && TO_AGENT.test(trimmed),
    isChoice: isEnglish && CHOICE.test(trimmed),
    isIndefinite: isEnglish && INDEFINITE.test(trimmed),
    names: isEnglish ? (trimmed.match(NAME) ?? []).map((name) => name.toLowerCase()) : [],
  };
}

function areMostlyEnglish(text: string): boolean {
  const found = text.match(ENGLISH)?.length ?? 0;
  return found > 0 && found >= text.split(/\s+/).length * ENGLISH_SHARE;
}
