import { useSignal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import { Icon } from "../../../components/icons.js";
import { refusalOf } from "../../../state/refusal.js";
import { text } from "../messages.js";

/** Longest recording in seconds, which is well below the largest file. */
const LONGEST_SECONDS = 5 * 60;
/** Bits of speech per second. */
const BITS = 32_000;
/** Types that browsers record, best first, with the ending of their files. */
const TYPES = [
  ["audio/webm;codecs=opus", "webm"],
  ["audio/ogg;codecs=opus", "ogg"],
  ["audio/mp4", "m4a"],
] as const;

/** Button that records a voice message, which becomes a file of the message (UI-011). */
export function RecordButton({
  onRecorded,
  onProblem,
}: {
  onRecorded(file: File): void;
  onProblem(words: string): void;
}) {
  const seconds = useSignal<number | undefined>(undefined);
  const recorder = useRef<MediaRecorder | undefined>(undefined);
  const isGone = useRef(false);
  const reason = refusalOf("operator.write");
  useEffect(
    () => () => {
      // Another conversation gets no recording of this one.
      isGone.current = true;
      recorder.current?.stop();
    },
    [],
  );
  const record = async () => {
    const type = TYPES.find(([mimeType]) => globalThis.MediaRecorder?.isTypeSupported(mimeType));
    if (type === undefined) return onProblem(text.noRecorder);
    let stream: MediaStream;
    try {
      stream = await navigator.mediaDevices.getUserMedia({ audio: true });
    } catch {
      return onProblem(text.noMicrophone);
    }
    const end = () => {
      for (const track of stream.getTracks()) track.stop();
    };
    if (isGone.current) return end();
    const [mimeType, ending] = type;
    const open = new MediaRecorder(stream, { mimeType, audioBitsPerSecond: BITS });
    const parts: Blob[] = [];
    seconds.value = 0;
    const clock = setInterval(() => {
      seconds.value = (seconds.peek() ?? 0) + 1;
      if (seconds.value >= LONGEST_SECONDS) open.stop();
    }, 1000);
    open.ondataavailable = ({ data }) => parts.push(data);
    open.onstop = () => {
      clearInterval(clock);
      end();
      recorder.current = undefined;
      if (isGone.current) return;
      const name = `${text.recorded(clockTime(seconds.peek() ?? 0)).replaceAll(":", ".")}.${ending}`;
      onRecorded(new File(parts, name, { type: mimeType }));
      seconds.value = undefined;
    };
    recorder.current = open;
    open.start();
  };
  const isRecording = seconds.value !== undefined;
  const label = isRecording ? text.stopRecording(clockTime(seconds.value ?? 0)) : text.record;
  return (
    <button
      class={isRecording ? "btn small" : "btn quiet small icon"}
      type="button"
      aria-label={label}
      aria-pressed={isRecording}
      aria-disabled={reason !== undefined}
      title={reason ?? label}
      onClick={() => {
        if (recorder.current !== undefined) recorder.current.stop();
        else if (reason === undefined) void record();
      }}
    >
      <Icon name="microphone" />
      {isRecording && <span class="mono t12">{clockTime(seconds.value ?? 0)}</span>}
    </button>
  );
}

function clockTime(seconds: number): string {
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
}
