import { Argument, type Command } from "commander";
import type { Terminal } from "../shell/terminal.js";

/** Command with which a completion script asks for suggestions. */
const SUGGEST = "complete";
const SHELLS = ["bash", "zsh", "fish", "powershell"];

/**
 * Adds `openclaw completion`, which prints a script for a shell, and the command that the script calls. The
 * suggestions are the commands and options of the program, so both are added last.
 * @param program - program with all of its commands
 * @param args - command-line arguments without the program's name
 * @param terminal - terminal to print to
 */
export async function describeCompletionCommand(
  program: Command,
  args: readonly string[],
  terminal: Terminal,
): Promise<void> {
  // The other commands start without the library.
  if (args[0] === SUGGEST) {
    const { default: addSuggestions } = await import("@bomb.sh/tab/commander");
    addSuggestions(program, { completionCommandName: "completion" });
    return;
  }
  program
    .command("completion")
    .description("print a script with which a shell completes commands and options")
    .addArgument(new Argument("<shell>", "shell").choices(SHELLS))
    .addHelpText("after", HELP)
    .action(async (shell: string) => {
      terminal.print(shell === "bash" ? BASH : await scriptOf(shell));
    });
}

/**
 * Script for bash. That of the library needs a package that few systems have, and evaluates the words that were typed.
 */
const BASH = `# bash completion for openclaw
_openclaw() {
  local suggestion
  COMPREPLY=()
  while IFS=$'\\t' read -r suggestion _; do
    [[ $suggestion == :* ]] || COMPREPLY+=("$suggestion")
  done < <("$1" complete -- "\${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null)
}
complete -o default -F _openclaw openclaw`;

async function scriptOf(shell: string): Promise<string> {
  const { default: completion } = await import("@bomb.sh/tab");
  return loggedBy(() => completion.setup("openclaw", "openclaw", shell));
}

/** Returns what a function logs; the library only prints its scripts. */
function loggedBy(work: () => void): string {
  const { log } = console;
  let logged = "";
  console.log = (text: string) => {
    logged += text;
  };
  try {
    work();
  } finally {
    console.log = log;
  }
  return logged;
}

const HELP = `
  bash   echo 'source <(openclaw completion bash)' >> ~/.bashrc
  zsh    echo 'source <(openclaw completion zsh)' >> ~/.zshrc   (after compinit)
  fish   openclaw completion fish > ~/.config/fish/completions/openclaw.fish`;
