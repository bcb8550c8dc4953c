import type { PassageKind } from "./passage.js";

/** A phrase that the project does not use, and what to write. */
export interface Phrase {
  readonly pattern: RegExp;
  /** The word or the form to use. */
  readonly use: string;
  /** Passages that the rule applies to; all of them without it. */
  readonly kinds?: readonly PassageKind[];
}

/** A rule whose words may be on two lines. */
const phrase = (pattern: string, use: string, kinds?: readonly PassageKind[]): Phrase => ({
  pattern: new RegExp(pattern.replaceAll(" ", "\\s+"), "gi"),
  use,
  ...(kinds === undefined ? {} : { kinds }),
});

/** Words that are not English that engineers write, or that name a concept which has another name here. */
export const PHRASES: readonly Phrase[] = [
  phrase(
    String.raw`(?<!\bthere )\b(?:is|are|was|were) no (?!longer\b|more than\b|less than\b)`,
    "is not a …, … not found",
  ),
  phrase(String.raw`\banew\b`, "again"),
  phrase(String.raw`\bwhoever\b`, "the user who, any client that"),
  phrase(String.raw`\b(?:somebody|anybody|nobody)(?:'s)?\b`, "a user, no approver"),
  phrase(String.raw`\bin vain\b`, "without effect, unsuccessfully"),
  phrase(String.raw`\b(?:lies|lie|lay|lying) (?:in|on|below|outside)\b`, "is stored in, is inside"),
  phrase(
    String.raw`\b(?:stands?|stood|standing)\b(?! for\b|-in\b|-alone\b| alone\b)`,
    "is, is stored, is pending",
  ),
  phrase(String.raw`\b(?:bears?|bore|borne)\b`, "has, supports"),
  phrase(String.raw`\bmend(?:s|ed|ing)?\b`, "fix"),
  phrase(String.raw`\b(?:take|takes|taken|taking) apart\b`, "dispose"),
  phrase(String.raw`\b(?:call|calls|called|calling) off\b`, "cancel"),
  phrase(String.raw`\b(?:take|takes|took|taking) (?:its )?leave\b`, "stop"),
  phrase(String.raw`\bfor ever\b`, "forever, without limit"),
  phrase(String.raw`\bof (?:its|their|one's|his|her) own\b`, "its own …, a separate …"),
  phrase(String.raw`\b(?:and|or|for) the like\b|\ballows? the like\b`, "similar …, or name them"),
  phrase(String.raw`\bwish(?:es|ed)?\b`, "override, request"),
  phrase(String.raw`\b(?:go|goes|going|went|gone) on\b`, "continue, resume"),
  phrase(String.raw`\b(?:be|is|are|was|were) done with\b`, "finish"),
  phrase(String.raw`\bin (?:the )?place of\b`, "instead of"),
  phrase(String.raw`\bwhat (?:\w+ )?(?:is|are|was) about\b`, "describe it"),
  phrase(String.raw`\b(?:asker|questioner)s?\b`, "requester"),
  phrase(String.raw`(?<!user's )\bquestions?\b`, "approval request"),
  phrase(String.raw`\battend(?:ants?|ance)\b`, "approver, approver presence"),
  phrase(String.raw`\bjudg(?:es?|ed|ing|e?ments?)\b`, "evaluate, authorize"),
  phrase(String.raw`\bdoors?\b`, "guard, registrar, entry point"),
  phrase(String.raw`\blined(?: up)?\b`, "queued"),
  phrase(String.raw`\bsurroundings?\b`, "dependencies, context"),
  phrase(
    String.raw`\bchild(?:ren)?\b(?!['’]?s? (?:process|program|environment|stdio|element|node)|\.|\()`,
    "subagent, child process",
  ),
  phrase(String.raw`\bwithh(?:old|olds|eld|olding)\b`, "cancel, hide, deny"),
  phrase(String.raw`\bheld back\b|\bhold(?:s|ing)? back\b`, "delay, cancel"),
  phrase(
    String.raw`(?<!connection )\brefus(?:es?|ed|ing|als?)\b(?! to\b)`,
    "deny (policy, hook, person), reject (input)",
  ),
  phrase(String.raw`\bunasked\b`, "without approval"),
  phrase(
    String.raw`(?<!approvals\.)\bheadless(?:ly)?\b`,
    "unattended, or the key `approvals.headless`",
  ),
  phrase(String.raw`\bunsupervised\b|\bwith nobody there\b`, "unattended"),
  phrase(
    String.raw`\baudit (?:trail|journal|trace|history|records?)s?\b|\b(?:approval|decision) (?:log|journal|trail)s?\b`,
    "audit log",
  ),
  phrase(
    String.raw`\b(?:turn|run|step) logs?\b|(?<!policy )\blogs? of (?:a|the|its|each|every) (?:turn|run|steps?)\b`,
    "journal for the stored steps, trace for what `openclaw trace` shows",
  ),
  phrase(
    String.raw`\bplugin (?:epoch|era|round)s?\b|\bgenerations? of (?:a|the) (?:turn|run|session)\b`,
    "generation, of plugins only",
  ),
  phrase(String.raw`\btexts\b`, "strings"),
  phrase(String.raw`\bpieces?\b`, "chunk, part"),
  phrase(
    String.raw`\b(?:server|gateway|provider|endpoint|base|service)(?:'s)? address(?:es)?\b|\baddress(?:es)? of (?:the |a )?(?:server|gateway|provider|endpoint|service)`,
    "URL",
  ),
  phrase(String.raw`\bshall\b`, "must, will"),
  phrase(String.raw`\b(?:say|says|said) so\b`, "report it, state it"),
  phrase(String.raw`\b(?:there|here|where)(?:by|in|of|with|upon|from)\b`, "rewrite the sentence"),
  phrase(String.raw`\bat last\b`, "finally"),
  phrase(String.raw`\bbeside(?! the point)\b`, "next to, in addition to"),
  phrase(String.raw`\bnewcomers?\b`, "later registration, new user"),
  phrase(String.raw`\bstragglers?\b`, "pending call"),
  phrase(String.raw`\bweigh(?:s|ed|ing)?\b`, "count as, is treated as"),
  phrase(String.raw`\blet(?:s|ting)? go of\b`, "release, stop"),
  phrase(String.raw`\b(?:become|becomes|became) of\b`, "status of"),
  phrase(String.raw`\b(?:bring|brings|brought|take|takes|took|taken) in\b`, "accept, process"),
  phrase(String.raw`\b(?:give|gives|gave|given|giving) back\b`, "return"),
  phrase(String.raw`\b(?:is|are|be|was|stays?|remains?) whole\b`, "intact, complete"),
  phrase(String.raw`\bspeaks? (?:to|with|of)\b`, "call, connect to, mention"),
  phrase(String.raw`\bdeeds?\b`, "actions"),
  phrase(String.raw`\b(?:tell|tells|told|telling) (?:\w+ )?apart\b`, "distinguish"),
  phrase(String.raw`\bin the way\b`, "block, prevent, as"),
  phrase(String.raw`\bhold(?:s|ing)? (?:together|good|true)\b`, "apply"),
  phrase(String.raw`\b(?:is|are|was|were|be) due to be\b`, "must be"),
  phrase(String.raw`\bof what\b`, "name the thing"),
  phrase(String.raw`\bno sooner\b`, "only after"),
  phrase(String.raw`(?:^|[.;:] )those (?:that|which|who)\b`, "name the subject"),
  phrase(
    String.raw`^(?:What|Whether|How|Of|Who|Whose|Where|That)\b`,
    "start with a verb (“Returns …”) or a noun phrase",
    ["docstring"],
  ),
  phrase(
    String.raw`@(?:param\s+\S+\s+-\s+|returns?\s+)(?:what|whether|of|how|who)\b`,
    "a noun phrase with unit or shape",
    ["docstring"],
  ),
];
