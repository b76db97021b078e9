import { Button } from '@mantine/core';
import { useEffect, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { type Caption, type CaptionFault, parseTime, printTime, readingSpeed } from '../../../shared/media/captions.ts';
import { locale } from '../../app/locale/current.ts';
import ui from '../../components/ui.module.css';
import styles from './media.module.css';
import { seconds, typedMs } from './media-facts.ts';

const texts = {
  list: 'Captions in order',
  go: (n: number) => `Caption ${n}`,
  start: (n: number) => `Start of caption ${n}`,
  end: (n: number) => `End of caption ${n}`,
  text: (n: number) => `Text of caption ${n}`,
  perSecond: (speed: string) => `${speed} characters per second`,
  faults: {
    'end-before-start': () => 'Ends before it starts',
    empty: () => 'No text',
    overlap: (ms) => `Overlaps the previous one by ${seconds(ms)}`,
    speed: () => 'Too fast to read',
    'after-end': () => 'Ends after the video',
  } satisfies Record<CaptionFault['code'], (value: number) => string>,
  badTime: 'Enter a time such as 0:02.500.',
  none: 'No captions yet. Import a file, or add the first caption at the position in the video.',
  add: 'Add caption here',
  split: 'Split here',
  join: 'Join with next',
  startHere: 'Start here',
  endHere: 'End here',
  remove: 'Remove caption',
  shift: 'Shift by seconds',
  shiftAll: 'Shift all',
  shiftRest: 'Shift from here',
  pages: (from: number, to: number, all: number) => `Captions ${from} to ${to} of ${all}`,
  before: 'Previous captions',
  next: 'Next captions',
} as const;

/** Captions rendered at once; a short video has a few dozen. */
const PAGE = 100;

interface CaptionListProps {
  readonly captions: readonly Caption[];
  readonly faults: readonly CaptionFault[];
  readonly selected: number;
  readonly atMs: number;
  /** Selects a caption and goes to it. */
  readonly onSelect: (index: number) => void;
  /** Selects a caption that is worked on; the video stays where it is. */
  readonly onPick: (index: number) => void;
  readonly onChange: (captions: readonly Caption[]) => void;
  readonly onAdd: () => void;
  readonly onSplit: () => void;
  readonly onJoin: () => void;
  readonly onShift: (byMs: number, from: number) => void;
}

/** The captions with times and text, and commands for the selected one. */
export function CaptionList(props: CaptionListProps) {
  const { captions, faults, selected, atMs, onSelect, onPick, onChange, onAdd, onSplit, onJoin, onShift } = props;
  const [shift, setShift] = useState(() => locale().tenths(0.5));
  const byMs = typedMs(shift);
  const canShift = Number.isFinite(byMs) && byMs !== 0 && captions.length > 0;
  const current = captions[selected];
  const list = useRef<HTMLOListElement>(null);
  /** What is typed next is the text of the caption, not Space on the button, which would add another one. */
  const addAndType = (): void => {
    flushSync(onAdd);
    list.current?.querySelector<HTMLElement>('[aria-current="true"] textarea')?.focus();
  };
  const first = Math.floor(Math.max(0, Math.min(selected, captions.length - 1)) / PAGE) * PAGE;
  const replace = (at: number, change: Partial<Caption>): void =>
    onChange(captions.map((caption, index) => (index === at ? { ...caption, ...change } : caption)));
  const isInside = current !== undefined && atMs > current.startMs && atMs < current.endMs;
  return (
    <>
      {captions.length === 0 ? (
        <p className={ui['quiet']}>{texts.none}</p>
      ) : (
        <ol ref={list} className={styles['captions']} aria-label={texts.list} start={first + 1}>
          {captions.slice(first, first + PAGE).map((caption, n) => (
            <CaptionRow
              // biome-ignore lint/suspicious/noArrayIndexKey: a caption is identified by its index
              key={first + n}
              at={first + n}
              caption={caption}
              faults={faults.filter(({ at }) => at === first + n)}
              isSelected={first + n === selected}
              onSelect={() => onSelect(first + n)}
              onPick={() => onPick(first + n)}
              onChange={(change) => {
                onPick(first + n);
                replace(first + n, change);
              }}
            />
          ))}
        </ol>
      )}
      {captions.length > PAGE && (
        <div className={styles['editor-bar']}>
          <Button size="compact-sm" disabled={first === 0} onClick={() => onSelect(first - PAGE)}>
            {texts.before}
          </Button>
          <span>{texts.pages(first + 1, Math.min(first + PAGE, captions.length), captions.length)}</span>
          <Button size="compact-sm" disabled={first + PAGE >= captions.length} onClick={() => onSelect(first + PAGE)}>
            {texts.next}
          </Button>
        </div>
      )}
      <div className={styles['editor-bar']}>
        <Button size="compact-sm" onClick={addAndType}>
          {texts.add}
        </Button>
        <Button size="compact-sm" disabled={!isInside} onClick={onSplit}>
          {texts.split}
        </Button>
        <Button size="compact-sm" disabled={captions[selected + 1] === undefined} onClick={onJoin}>
          {texts.join}
        </Button>
        <Button
          size="compact-sm"
          disabled={current === undefined || atMs >= current.endMs}
          onClick={() => replace(selected, { startMs: atMs })}
        >
          {texts.startHere}
        </Button>
        <Button
          size="compact-sm"
          disabled={current === undefined || atMs <= current.startMs}
          onClick={() => replace(selected, { endMs: atMs })}
        >
          {texts.endHere}
        </Button>
        <Button
          size="compact-sm"
          disabled={current === undefined}
          onClick={() => onChange(captions.toSpliced(selected, 1))}
        >
          {texts.remove}
        </Button>
      </div>
      <div className={styles['editor-bar']}>
        <label>
          {texts.shift}{' '}
          <input
            inputMode="decimal"
            className={styles['caption-time']}
            value={shift}
            onChange={({ target }) => setShift(target.value)}
          />
        </label>
        <Button size="compact-sm" disabled={!canShift} onClick={() => onShift(byMs, 0)}>
          {texts.shiftAll}
        </Button>
        <Button size="compact-sm" disabled={!canShift || current === undefined} onClick={() => onShift(byMs, selected)}>
          {texts.shiftRest}
        </Button>
      </div>
    </>
  );
}

interface CaptionRowProps {
  readonly at: number;
  readonly caption: Caption;
  readonly faults: readonly CaptionFault[];
  readonly isSelected: boolean;
  readonly onSelect: () => void;
  readonly onPick: () => void;
  readonly onChange: (change: Partial<Caption>) => void;
}

function CaptionRow({ at, caption, faults, isSelected, onSelect, onPick, onChange }: CaptionRowProps) {
  const n = at + 1;
  return (
    <li className={styles['caption']} aria-current={isSelected}>
      <div className={styles['caption-times']}>
        <button type="button" className={ui['link']} onClick={onSelect}>
          {texts.go(n)}
        </button>
        <TimeInput
          label={texts.start(n)}
          ms={caption.startMs}
          onPick={onPick}
          onChange={(startMs) => onChange({ startMs })}
        />
        <TimeInput label={texts.end(n)} ms={caption.endMs} onPick={onPick} onChange={(endMs) => onChange({ endMs })} />
        <span className={ui['quiet']}>{texts.perSecond(locale().tenths(readingSpeed(caption)))}</span>
      </div>
      <textarea
        rows={2}
        aria-label={texts.text(n)}
        value={caption.text}
        onClick={onPick}
        onChange={({ target }) => onChange({ text: target.value })}
      />
      {faults.map(({ code, value }) => (
        <p key={code} className={ui['note-warning']}>
          {texts.faults[code](value)}
        </p>
      ))}
    </li>
  );
}

interface TimeInputProps {
  readonly label: string;
  readonly ms: number;
  readonly onPick: () => void;
  readonly onChange: (ms: number) => void;
}

/** Milliseconds of a typed time, such as `1:02.500`, `1:02` or the seconds alone; null for any other text. */
function typedTime(text: string): number | null {
  const match = /^((?:\d{1,3}:)?\d{1,2}:)?(\d{1,2})(?:[.,](\d{1,3}))?$/.exec(text.trim());
  if (match === null) return null;
  const [, before = '0:', whole = '', fraction = ''] = match;
  return parseTime(`${before}${whole.padStart(2, '0')}.${fraction.padEnd(3, '0')}`);
}

/** A text field for a time, without zero hours; the value changes once the text can be parsed. */
function TimeInput({ label, ms, onPick, onChange }: TimeInputProps) {
  const shown = printTime(ms, '.').replace(/^00:/, '');
  const [text, setText] = useState(shown);
  useEffect(() => setText(shown), [shown]);
  const isBad = typedTime(text) === null;
  return (
    <input
      className={styles['caption-time']}
      aria-label={label}
      aria-invalid={isBad}
      title={isBad ? texts.badTime : undefined}
      value={text}
      onClick={onPick}
      onChange={({ target }) => {
        setText(target.value);
        const read = typedTime(target.value);
        if (read !== null && read !== ms && target.value.trim() === printTime(read, '.').replace(/^00:/, ''))
          onChange(read);
      }}
      onBlur={() => {
        const read = typedTime(text);
        if (read === null || read === ms) setText(shown);
        else onChange(read);
      }}
    />
  );
}
