import { Button } from '@mantine/core';
import { skipToken, useQuery, useQueryClient } from '@tanstack/react-query';
import { useId, useRef, useState } from 'react';
import type { EditedCaptions } from '../../../shared/api/files.ts';
import {
  type Caption,
  type CaptionFault,
  type CaptionFormat,
  captionFaults,
  joinCaptions,
  parseCaptions,
  printCaptions,
  READING_SPEEDS,
  type ReadingSpeed,
  shiftCaptions,
  splitCaption,
} from '../../../shared/media/captions.ts';
import { fileRefusalText } from '../../../shared/media/file-refusal.ts';
import { useApi, useAppContext, useView } from '../../app/app-context.ts';
import { errorText } from '../../app/error-text.ts';
import { useLimits } from '../../app/locale/limits.ts';
import { plural } from '../../app/locale/numbers.ts';
import { Problem, Waiting } from '../../app/Problem.tsx';
import { cellOf } from '../../app/row-cells.ts';
import { saveText } from '../../app/save-text.ts';
import { type MediaFile, useFile, useMedia } from '../../app/shared-queries.ts';
import { appTexts } from '../../app/texts.ts';
import { readFile } from '../../app/transport/read-file.ts';
import { Chip } from '../../components/Chip.tsx';
import { ChipChoice } from '../../components/ChipChoice.tsx';
import { ChoiceField } from '../../components/ChoiceField.tsx';
import { Empty } from '../../components/Empty.tsx';
import { FilePicker } from '../../components/FilePicker.tsx';
import ui from '../../components/ui.module.css';
import { CaptionList } from './CaptionList.tsx';
import { UNPLAYABLE } from './MediaPreview.tsx';
import { replaceUses } from './MediaUsage.tsx';
import styles from './media.module.css';
import { clockText, seconds } from './media-facts.ts';
import { hasPicture, posterOf } from './poster.ts';

const texts = {
  none: 'No video is open',
  noneText: 'Select a video in the media library, then select Edit video.',
  back: 'Back to the library',
  time: 'Position in the video',
  line: 'Timeline',
  play: 'Play',
  pause: 'Pause',
  cue: (n: number, text: string) => `Caption ${n}: ${text}`,
  trim: 'Length',
  trimHint: (min: number, max: number) =>
    `The service accepts ${min} to ${max} seconds. The original file stays, and nothing is encoded again.`,
  startHere: 'Start here',
  endHere: 'End here',
  reset: 'Reset',
  part: (from: string, to: string, length: string) => `${from} to ${to}, ${length}`,
  keyFrame: 'A video can only start at a key frame. The start is the last one up to your position.',
  tooShort: (min: number) => `Too short: the service needs at least ${min} seconds. Choose a later end.`,
  tooLong: (max: number) => `Too long: the service accepts up to ${max} seconds. Choose an earlier end.`,
  use: 'Use trimmed video',
  trimming: 'Trimming…',
  stop: 'Stop',
  trimmed: (name: string) => `${name} is in the media library.`,
  notUsed: (name: string) => `${name} is in the media library, but some profiles still use the original.`,
  poster: 'Poster',
  posterHint: 'Shown on cards and in storyboards. The service makes its own thumbnail.',
  usePoster: 'Use this frame',
  posterUsed: 'The frame is in the media library.',
  captions: 'Captions',
  speed: 'Reading speed (characters per second)',
  speeds: {
    relaxed: `Relaxed, ${READING_SPEEDS.relaxed}`,
    standard: `Standard, ${READING_SPEEDS.standard}`,
    fast: `Fast, ${READING_SPEEDS.fast}`,
  } satisfies Record<ReadingSpeed, string>,
  format: 'File format',
  formats: { srt: 'SRT', vtt: 'WebVTT' } satisfies Record<CaptionFormat, string>,
  import: 'Import captions…',
  export: 'Export captions',
  useCaptions: 'Use captions',
  usedCaptions: 'The captions are in use.',
  discard: 'Discard changes',
  uploaded: 'This video is on the service, so its captions are fixed. Trim it to make a new video.',
  unusable: (n: number) => `${plural(n, 'caption')} can't be used. Correct the times or add text.`,
  skipped: (name: string, lines: readonly number[]) =>
    `${name}: ${plural(lines.length, 'caption')} without valid times skipped (line ${lines.slice(0, 5).join(', ')}${
      lines.length > 5 ? ', …' : ''
    }). Add ${lines.length === 1 ? 'it' : 'them'} again.`,
  unread: (name: string) =>
    `Can't read ${name} as UTF-8 text. Save it as SRT or WebVTT in UTF-8, then import it again.`,
  unloaded: (name: string) =>
    `Can't load ${name}. Try again, or drop another caption file on the video in the media library.`,
  unknownLength: 'The length of this video is unknown. Wait until it is loaded.',
} as const;

const TOO_LARGE_BYTES = 1024 * 1024;
const STEP_S = 0.04;

/** Decodes UTF-8, or UTF-16 with a byte order mark; null for bytes that are not text. */
function decodeText(bytes: ArrayBuffer): string | null {
  const [first, second] = new Uint8Array(bytes, 0, Math.min(2, bytes.byteLength));
  const encoding =
    first === 0xff && second === 0xfe ? 'utf-16le' : first === 0xfe && second === 0xff ? 'utf-16be' : 'utf-8';
  try {
    return new TextDecoder(encoding, { fatal: true }).decode(bytes);
  } catch (error) {
    if (error instanceof TypeError) return null;
    throw error;
  }
}

/** The editor of a video in the library: captions on the timeline, length and poster. */
export function VideoEditor({ workspaceId }: { readonly workspaceId: string }) {
  const mediaId = useView((s) => s.video?.mediaId);
  const { files } = useMedia(workspaceId);
  const file = files.find(({ id, isHere }) => id === mediaId && isHere);
  const preview = useFile(workspaceId, file?.id ?? null);
  const kept = useQuery(
    useApi().media.editedCaptions.queryOptions({
      input: file === undefined ? skipToken : { workspaceId, mediaId: file.id },
    }),
  );
  if (file === undefined) return <Empty heading title={texts.none} text={texts.noneText} />;
  if (preview.data === undefined || kept.data === undefined) return <Waiting error={preview.error ?? kept.error} />;
  return (
    <Editor key={file.id} workspaceId={workspaceId} file={file} files={files} url={preview.data.url} kept={kept.data} />
  );
}

interface EditorProps {
  readonly workspaceId: string;
  readonly file: MediaFile;
  readonly files: readonly MediaFile[];
  readonly url: string;
  /** Edited captions that are stored but not yet used. */
  readonly kept: EditedCaptions | null;
}

/** Of a video without captions, and while they are read. */
const NO_CAPTIONS = { captions: [] as readonly Caption[], format: 'vtt' as const, head: '', problem: null };

function Editor({ workspaceId, file, files, url, kept }: EditorProps) {
  const { store } = useAppContext();
  const draft = useView((s) => s.video);
  const captionId = cellOf('media', file.row, 'caption');
  const captionFile = files.find(({ id }) => id === captionId);
  const { stored, error, isUnloaded, retry } = useStoredCaptions(workspaceId, captionFile);
  const player = useRef<HTMLVideoElement>(null);
  const [lengthMs, setLengthMs] = useState<number | null>(null);
  const [isUnplayable, setUnplayable] = useState(false);
  const [atMs, setAtMs] = useState(0);
  const [isPlaying, setPlaying] = useState(false);
  const [selected, select] = useState(0);
  const [chosen, setPart] = useState<Part | null>(null);
  const longestMs = useLimits().media.seconds.max * 1000;
  // For a video that is too long, preselects the longest part that the service accepts.
  const part = chosen ?? (lengthMs !== null && lengthMs > longestMs ? { fromMs: 0, toMs: longestMs } : null);
  const edited = draft?.edited ?? kept;
  const { captions, format, head } = edited ?? stored ?? NO_CAPTIONS;
  const shown = captions.filter(({ startMs, endMs }) => startMs <= atMs && atMs < endMs);
  const goTo = (ms: number): void => {
    if (player.current !== null) player.current.currentTime = ms / 1000;
    setAtMs(ms);
  };
  return (
    <div className={styles['editor']}>
      <div className={styles['editor-head']}>
        <h1 title={file.name}>{file.name}</h1>
        <Button size="compact-sm" onClick={() => store.getState().reveal('media', null, file.id, null)}>
          {texts.back}
        </Button>
      </div>
      <div className={styles['editor-columns']}>
        <div className={styles['editor-side']}>
          <div className={styles['editor-player']}>
            {/* biome-ignore lint/a11y/useMediaCaption: its captions are drawn over it as they are edited */}
            <video
              ref={player}
              className={styles['player']}
              src={url}
              preload="auto"
              aria-label={file.name}
              onLoadedMetadata={({ currentTarget }) => {
                setLengthMs(Math.round(currentTarget.duration * 1000));
                setUnplayable(!hasPicture(currentTarget));
              }}
              onTimeUpdate={({ currentTarget }) => setAtMs(Math.round(currentTarget.currentTime * 1000))}
              onError={() => setUnplayable(true)}
              onPlay={() => setPlaying(true)}
              onPause={() => setPlaying(false)}
            />
            {shown.length > 0 && (
              <p className={styles['editor-shown']}>
                {shown.map(({ text }) => text.replace(/<[^<>]*>/g, '')).join('\n')}
              </p>
            )}
          </div>
          <div className={styles['editor-bar']}>
            <Button
              size="compact-sm"
              onClick={() => void (isPlaying ? player.current?.pause() : player.current?.play())}
            >
              {isPlaying ? texts.pause : texts.play}
            </Button>
            <span className={styles['editor-clock']}>
              {clockText(atMs)} / {lengthMs === null ? '–' : clockText(lengthMs)}
            </span>
          </div>
          {isUnplayable && <p className={ui['note-warning']}>{UNPLAYABLE}</p>}
          {lengthMs === null ? (
            !isUnplayable && <p className={ui['quiet']}>{texts.unknownLength}</p>
          ) : (
            <>
              <Timeline
                captions={captions}
                lengthMs={lengthMs}
                atMs={atMs}
                part={part}
                selected={selected}
                onGo={goTo}
                onSelect={(index) => {
                  select(index);
                  goTo(captions[index]?.startMs ?? 0);
                }}
              />
              <Trim
                workspaceId={workspaceId}
                file={file}
                lengthMs={lengthMs}
                atMs={atMs}
                part={part}
                setPart={setPart}
              />
              {!isUnplayable && <Poster workspaceId={workspaceId} mediaId={file.id} player={player} />}
            </>
          )}
        </div>
        {isUnloaded && edited === null ? (
          <section className={styles['editor-captions']} aria-label={texts.captions}>
            <Problem of={texts.unloaded(captionFile?.name ?? '')} />
            <Chip onClick={retry}>{appTexts.tryAgain}</Chip>
          </section>
        ) : (
          <Captions
            workspaceId={workspaceId}
            file={file}
            captions={captions}
            format={format}
            head={head}
            lengthMs={lengthMs}
            atMs={atMs}
            selected={selected}
            problem={stored?.problem ?? null}
            isChanged={edited !== null}
            isReading={edited === null && stored === null}
            error={error}
            onSelect={(index) => {
              select(index);
              goTo(captions[index]?.startMs ?? 0);
            }}
            onPick={select}
          />
        )}
      </div>
    </div>
  );
}

/** The captions of the video in the library; null until they are read. An edit of a file that is not loaded would replace it. */
function useStoredCaptions(workspaceId: string, file: MediaFile | undefined) {
  const id = file?.isHere === true ? file.id : null;
  const { data, error } = useFile(workspaceId, id);
  const name = file?.name ?? '';
  const read = async (url: string) => {
    const stored = await readFile(url, name);
    return { isLoaded: stored !== null, text: stored === null ? null : decodeText(await stored.arrayBuffer()) };
  };
  const loaded = useQuery({
    queryKey: ['captions', data?.url, name],
    queryFn: data === undefined ? skipToken : () => read(data.url),
    gcTime: 0,
  });
  const retry = (): void => void loaded.refetch();
  if (id === null) return { stored: NO_CAPTIONS, error, isUnloaded: false, retry };
  if (loaded.data?.isLoaded !== true) return { stored: null, error, isUnloaded: loaded.data !== undefined, retry };
  const { text } = loaded.data;
  const parsed = parseCaptions(text ?? '');
  const problem = text === null ? texts.unread(name) : skippedText(name, parsed.problems);
  return { stored: { ...parsed, problem }, error, isUnloaded: false, retry };
}

function skippedText(name: string, problems: ReturnType<typeof parseCaptions>['problems']): string | null {
  const lines = problems.filter(({ code }) => code === 'no-timing' || code === 'bad-time').map(({ line }) => line);
  return lines.length === 0 ? null : texts.skipped(name, lines);
}

interface Part {
  readonly fromMs: number;
  readonly toMs: number;
}

interface TimelineProps {
  readonly captions: readonly Caption[];
  readonly lengthMs: number;
  readonly atMs: number;
  readonly part: Part | null;
  readonly selected: number;
  readonly onGo: (ms: number) => void;
  readonly onSelect: (index: number) => void;
}

/** Most captions rendered on the timeline: more would be thinner than a pixel. */
const DRAWN_MAX = 400;

function Timeline({ captions, lengthMs, atMs, part, selected, onGo, onSelect }: TimelineProps) {
  const percent = (ms: number): string => `${Math.min(100, (ms * 100) / lengthMs)}%`;
  return (
    <fieldset className={styles['timeline']} aria-label={texts.line}>
      <div className={styles['timeline-track']}>
        {captions.slice(0, DRAWN_MAX).map(({ startMs, endMs, text }, at) => (
          <button
            // biome-ignore lint/suspicious/noArrayIndexKey: a caption is identified by its index
            key={at}
            type="button"
            tabIndex={-1}
            className={styles['timeline-cue']}
            aria-label={texts.cue(at + 1, text)}
            aria-pressed={at === selected}
            style={{ left: percent(startMs), width: `calc(${percent(endMs)} - ${percent(startMs)})` }}
            onClick={() => onSelect(at)}
          >
            {text}
          </button>
        ))}
        {part !== null && (
          <>
            <span className={styles['timeline-off']} style={{ left: 0, width: percent(part.fromMs) }} />
            <span className={styles['timeline-off']} style={{ left: percent(part.toMs), right: 0 }} />
          </>
        )}
        <span className={styles['timeline-now']} style={{ left: percent(atMs) }} />
      </div>
      <input
        type="range"
        min={0}
        max={lengthMs / 1000}
        step={STEP_S}
        value={atMs / 1000}
        aria-label={texts.time}
        aria-valuetext={clockText(atMs)}
        onChange={({ target }) => onGo(Math.round(Number(target.value) * 1000))}
      />
    </fieldset>
  );
}

interface TrimProps {
  readonly workspaceId: string;
  readonly file: MediaFile;
  readonly lengthMs: number;
  readonly atMs: number;
  readonly part: Part | null;
  readonly setPart: (part: Part | null) => void;
}

/** Creates a new file from a part that the service accepts, and uses it in the profiles of the original. */
function Trim({ workspaceId, file, lengthMs, atMs, part, setPart }: TrimProps) {
  const context = useAppContext();
  const { connection, store, toasts } = context;
  const { client } = connection;
  const { min, max } = useLimits().media.seconds;
  const keys = useQuery(useApi().media.keyFrames.queryOptions({ input: { workspaceId, mediaId: file.id } }));
  const [taskId, setTaskId] = useState<string | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  /** True if the start was moved from the player's position to a key frame. */
  const [isMoved, setMoved] = useState(false);
  const { fromMs, toMs } = part ?? { fromMs: 0, toMs: lengthMs };
  const partMs = toMs - fromMs;
  const cutsNothing = fromMs === 0 && toMs >= lengthMs;
  // The exact length, to a frame, is known only once the file is created.
  const wrong = partMs < min * 1000 ? texts.tooShort(min) : partMs > max * 1000 ? texts.tooLong(max) : null;
  const startHere = (): void => {
    const start = keys.data?.keyFramesMs.findLast((ms) => ms <= atMs) ?? 0;
    const end = part === null || part.toMs <= start ? lengthMs : part.toMs;
    setPart({ fromMs: start, toMs: Math.min(end, start + max * 1000) });
    setMoved(start !== atMs);
  };
  const make = async (): Promise<void> => {
    const id = crypto.randomUUID();
    setTaskId(id);
    setProblem(null);
    try {
      const made = await client.media.trim({ workspaceId, mediaId: file.id, fromMs, toMs, taskId: id });
      if (made.file.outcome === 'refused') {
        setProblem(fileRefusalText(made.file.fileName, made.file.reason, made.file.params));
        return;
      }
      const { mediaId, fileName } = made.file;
      const uses = { workspaceId, mediaType: 'video', mediaId: file.id, by: mediaId, label: texts.use } as const;
      const isUsed = await replaceUses(context, uses);
      if (isUsed) toasts.tell(texts.trimmed(fileName));
      else setProblem(texts.notUsed(fileName));
      // Another account or screen may be open by now.
      const { place, video, workspaceId: shown } = store.getState();
      if (isUsed && shown === workspaceId && place === 'video' && video?.mediaId === file.id)
        store.getState().editVideo(mediaId);
    } catch (error) {
      setProblem(errorText(error));
    } finally {
      setTaskId(null);
    }
  };
  return (
    <section className={styles['editor-part']} aria-label={texts.trim}>
      <h2 className={ui['group-title']}>{texts.trim}</h2>
      <p>
        {texts.part(clockText(fromMs), clockText(toMs), seconds(partMs))}{' '}
        <span className={ui['quiet']}>{texts.trimHint(min, max)}</span>
      </p>
      <div className={styles['editor-bar']}>
        <Button size="compact-sm" disabled={keys.data === undefined} onClick={startHere}>
          {texts.startHere}
        </Button>
        <Button size="compact-sm" disabled={atMs <= fromMs} onClick={() => setPart({ fromMs, toMs: atMs })}>
          {texts.endHere}
        </Button>
        <Button size="compact-sm" disabled={part === null} onClick={() => setPart(null)}>
          {texts.reset}
        </Button>
        <Button
          size="compact-sm"
          variant="filled"
          disabled={cutsNothing || wrong !== null || taskId !== null || keys.data === undefined}
          onClick={() => void make()}
        >
          {taskId === null ? texts.use : texts.trimming}
        </Button>
        {taskId !== null && (
          <Button size="compact-sm" onClick={() => void client.tasks.cancel({ taskId })}>
            {texts.stop}
          </Button>
        )}
      </div>
      {isMoved && part !== null && <p role="status">{texts.keyFrame}</p>}
      {wrong !== null && <p className={ui['note-warning']}>{wrong}</p>}
      <Problem of={keys.error} />
      <Problem of={problem} />
    </section>
  );
}

/** JPEG quality of a poster: sharp on cards and in storyboards. */
const QUALITY = 0.85;

interface PosterProps {
  readonly workspaceId: string;
  readonly mediaId: MediaFile['id'];
  readonly player: { readonly current: HTMLVideoElement | null };
}

function Poster({ workspaceId, mediaId, player }: PosterProps) {
  const { connection } = useAppContext();
  const [told, setTold] = useState<{ readonly text: string; readonly isProblem: boolean } | null>(null);
  const use = async (): Promise<void> => {
    const jpeg = posterOf(player.current, QUALITY) ?? '';
    try {
      await connection.client.media.addPoster({ workspaceId, mediaId, jpeg });
      setTold({ text: texts.posterUsed, isProblem: false });
    } catch (error) {
      setTold({ text: errorText(error), isProblem: true });
    }
  };
  return (
    <section className={styles['editor-part']} aria-label={texts.poster}>
      <h2 className={ui['group-title']}>{texts.poster}</h2>
      <p className={ui['quiet']}>{texts.posterHint}</p>
      <div className={styles['editor-bar']}>
        <Button size="compact-sm" onClick={() => void use()}>
          {texts.usePoster}
        </Button>
        <span role="status" className={told?.isProblem === true ? ui['note-error'] : ui['quiet']}>
          {told?.text}
        </span>
      </div>
    </section>
  );
}

interface CaptionsProps {
  readonly workspaceId: string;
  readonly file: MediaFile;
  readonly captions: readonly Caption[];
  readonly format: CaptionFormat;
  /** As of `parseCaptions`. */
  readonly head: string;
  readonly lengthMs: number | null;
  readonly atMs: number;
  readonly selected: number;
  /** The error of a stored file that can't be parsed. */
  readonly problem: string | null;
  readonly isChanged: boolean;
  /** Whether the stored captions are not here yet: an edit would replace them. */
  readonly isReading: boolean;
  /** Why they can't be read. */
  readonly error: unknown;
  /** Selects a caption and seeks to it. */
  readonly onSelect: (index: number) => void;
  readonly onPick: (index: number) => void;
}

/** Faults that prevent using the captions; the others are suggestions. */
const STOPS: ReadonlySet<CaptionFault['code']> = new Set<CaptionFault['code']>(['end-before-start', 'empty']);
/** Length of a new caption, in milliseconds. */
const NEW_MS = 2000;

function Captions({
  workspaceId,
  file,
  captions,
  format,
  head,
  lengthMs,
  atMs,
  selected,
  problem,
  isChanged,
  isReading,
  error,
  onSelect,
  onPick,
}: CaptionsProps) {
  const { store, actions, connection, toasts } = useAppContext();
  const queries = useQueryClient();
  const api = useApi();
  const [speed, setSpeed] = useState<ReadingSpeed>('standard');
  const [imported, setImported] = useState<string | null>(null);
  const picker = useRef<HTMLInputElement>(null);
  const speedId = useId();
  const faults = captionFaults(captions, READING_SPEEDS[speed], lengthMs);
  const stopped = new Set(faults.filter(({ code }) => STOPS.has(code)).map(({ at }) => at)).size;
  const isUploaded = file.row.remoteId !== null;
  const stem = file.name.replace(/\.[^.]+$/, '');
  const of = { workspaceId, mediaId: file.id };
  const { queryKey } = api.media.editedCaptions.queryOptions({ input: of });
  /** Shows the edit at once and saves it in the account, so that it survives closing the window or another screen. */
  const keep = (edited: EditedCaptions | null): void => {
    queries.setQueryData(queryKey, edited);
    store.getState().changeCaptions(edited);
    const kept = connection.client.media.keepEditedCaptions({ ...of, edited });
    void kept.catch((error: unknown) => setImported(errorText(error)));
  };
  const change = (next: readonly Caption[], as = format): void => keep({ captions: [...next], format: as, head });
  const take = async (chosen: File): Promise<void> => {
    const text = chosen.size > TOO_LARGE_BYTES ? null : decodeText(await chosen.arrayBuffer());
    const parsed = text === null ? null : parseCaptions(text);
    if (parsed === null || parsed.captions.length === 0) {
      setImported(parsed === null ? texts.unread(chosen.name) : fileRefusalText(chosen.name, 'caption-no-cues', {}));
      return;
    }
    setImported(skippedText(chosen.name, parsed.problems));
    keep({ captions: [...parsed.captions], format: parsed.format, head: parsed.head });
    onPick(0);
  };
  const use = async (): Promise<void> => {
    const name = `${stem}.${format}`;
    const used = queries.getQueryData(queryKey);
    const [added] = await actions.addMedia([new File([printCaptions(captions, format, head)], name)]);
    if (added == null) return;
    if (added.outcome === 'refused') {
      setImported(fileRefusalText(added.fileName, added.reason, added.params));
      return;
    }
    const value = { kind: 'media' as const, id: file.id, field: 'caption', value: added.mediaId };
    if ((await actions.edit(texts.useCaptions, [value], workspaceId)) === null) return;
    // Captions that were edited meanwhile stay edits.
    if (queries.getQueryData(queryKey) === used) keep(null);
    toasts.tell(texts.usedCaptions);
  };
  return (
    <section className={styles['editor-captions']} aria-label={texts.captions} inert={isReading}>
      <div className={`${styles['editor-bar']} ${styles['editor-fields']}`}>
        <ChoiceField
          id={speedId}
          size="xs"
          label={texts.speed}
          options={(Object.keys(READING_SPEEDS) as ReadingSpeed[]).map((each) => [each, texts.speeds[each]])}
          value={speed}
          onChoose={setSpeed}
        />
        <ChipChoice
          label={texts.format}
          choices={(['srt', 'vtt'] as const).map((value) => ({ value, name: texts.formats[value] }))}
          chosen={format}
          onChoose={(as) => change(captions, as)}
        />
        {/* Grouped, so that a narrow window does not wrap one of them alone. */}
        <span className={styles['editor-bar']}>
          <Button size="compact-sm" onClick={() => picker.current?.click()}>
            {texts.import}
          </Button>
          <Button
            size="compact-sm"
            disabled={captions.length === 0}
            onClick={() => saveText(`${stem}.${format}`, printCaptions(captions, format, head), 'text/plain')}
          >
            {texts.export}
          </Button>
        </span>
        <FilePicker
          ref={picker}
          accept=".srt,.vtt"
          aria-label={texts.import}
          onPick={([chosen]) => {
            if (chosen !== undefined) void take(chosen);
          }}
        />
      </div>
      {[problem, imported].map(
        (text) =>
          text !== null && (
            <p key={text} className={ui['note-warning']}>
              {text}
            </p>
          ),
      )}
      {isReading ? (
        <Waiting error={error} />
      ) : (
        <CaptionList
          captions={captions}
          faults={faults}
          selected={selected}
          atMs={atMs}
          onSelect={onSelect}
          onPick={onPick}
          onChange={change}
          onAdd={() => {
            const next = [...captions, { startMs: atMs, endMs: atMs + NEW_MS, text: '' }];
            const sorted = next.toSorted((a, b) => a.startMs - b.startMs);
            change(sorted);
            onPick(sorted.findIndex(({ startMs, text }) => startMs === atMs && text === ''));
          }}
          onSplit={() => change(splitCaption(captions, selected, atMs))}
          onJoin={() => change(joinCaptions(captions, selected))}
          onShift={(byMs, from) => change(shiftCaptions(captions, byMs, from))}
        />
      )}
      <div className={styles['editor-bar']}>
        <Button
          variant="filled"
          disabled={!isChanged || isUploaded || stopped > 0 || captions.length === 0}
          onClick={() => void use()}
        >
          {texts.useCaptions}
        </Button>
        <Button disabled={!isChanged} onClick={() => keep(null)}>
          {texts.discard}
        </Button>
        {isUploaded ? (
          <span className={ui['quiet']}>{texts.uploaded}</span>
        ) : (
          stopped > 0 && <span className={ui['note-error']}>{texts.unusable(stopped)}</span>
        )}
      </div>
    </section>
  );
}
