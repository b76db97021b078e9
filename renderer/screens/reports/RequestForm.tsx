import { Button, Checkbox } from '@mantine/core';
import { useState } from 'react';
import type { ReportRequest } from '../../../shared/contract/reports.ts';
import { addDays, plainDate } from '../../../shared/model/plain-date.ts';
import type { PlainDate } from '../../../shared/model/scalars.ts';
import { ATTRIBUTION_WORDS, FORMAT_WORDS, REPORT_TYPE } from '../../../shared/reports/report-words.ts';
import { enReports } from '../../messages/en-reports.ts';
import { DayInput } from '../../ui/DayInput.tsx';
import { TypeChoice } from './TypeChoice.tsx';

interface RequestFormProps {
  /** The day at the business; a practice account's may be years ahead. */
  readonly today: PlainDate;
  /** Types beside those of the document. */
  readonly types: readonly string[];
  readonly busy: boolean;
  readonly onRequest: (wish: ReportRequest) => void;
}

const SPANS = [7, 30, 90] as const;

/** So many whole days up to yesterday: figures of a day come on the next. */
const lately = (today: PlainDate, days: number) => ({
  startDate: addDays(today, -days),
  endDate: addDays(today, -1),
});

/** Which report, for which days. */
export function RequestForm({ today, types, busy, onRequest }: RequestFormProps) {
  const [wish, setWish] = useState<ReportRequest>({ reportType: 'campaign', byDate: true, ...lately(today, 30) });
  const change = (part: Partial<ReportRequest>): void => setWish({ ...wish, ...part });
  const inOrder =
    plainDate(wish.startDate) !== null && plainDate(wish.endDate) !== null && wish.startDate <= wish.endDate;
  const isWhole = inOrder && REPORT_TYPE.test(wish.reportType);
  return (
    <form
      className="reports-form"
      aria-label={enReports.form}
      onSubmit={(event) => {
        event.preventDefault();
        if (isWhole && !busy) onRequest(wish);
      }}
    >
      <TypeChoice value={wish.reportType} further={types} onChange={(reportType) => change({ reportType })} />
      {SPANS.map((days) => {
        const span = lately(today, days);
        const isOn = wish.startDate === span.startDate && wish.endDate === span.endDate;
        return (
          <button key={days} type="button" className="chip" aria-pressed={isOn} onClick={() => change(span)}>
            {enReports.lastDays(days)}
          </button>
        );
      })}
      <DayInput
        aria-label={enReports.from}
        aria-invalid={!inOrder}
        value={wish.startDate}
        onChange={(startDate) => change({ startDate })}
      />
      <span aria-hidden="true">–</span>
      <DayInput
        aria-label={enReports.to}
        aria-invalid={!inOrder}
        value={wish.endDate}
        onChange={(endDate) => change({ endDate })}
      />
      <Checkbox
        size="xs"
        checked={wish.byDate}
        label={enReports.byDate}
        title={enReports.byDateHint}
        onChange={(event) => change({ byDate: event.currentTarget.checked })}
      />
      <WordChoice
        label={enReports.windowWord}
        hint={enReports.windowHint}
        words={ATTRIBUTION_WORDS}
        names={enReports.windowWords}
        value={wish.attributionWindow ?? ''}
        onChange={(attributionWindow) => setWish(withWord(wish, 'attributionWindow', attributionWindow))}
      />
      <WordChoice
        label={enReports.format}
        hint={enReports.formatHint}
        words={FORMAT_WORDS}
        names={enReports.formatWords}
        value={wish.format ?? ''}
        onChange={(format) => setWish(withWord(wish, 'format', format))}
      />
      <Button type="submit" variant="filled" disabled={!isWhole || busy}>
        {busy ? enReports.asking : enReports.request}
      </Button>
    </form>
  );
}

/** Nothing chosen leaves it to the settings of the account. */
function withWord(wish: ReportRequest, name: 'attributionWindow' | 'format', word: string): ReportRequest {
  const { [name]: _, ...others } = wish;
  return word === '' ? others : { ...others, [name]: word };
}

interface WordChoiceProps {
  readonly label: string;
  readonly hint: string;
  readonly words: readonly string[];
  readonly names: Readonly<Record<string, string>>;
  readonly value: string;
  readonly onChange: (word: string) => void;
}

/** A word of the request that may be left out. */
function WordChoice({ label, hint, words, names, value, onChange }: WordChoiceProps) {
  return (
    <select
      className="input"
      aria-label={label}
      title={hint}
      value={value}
      onChange={(event) => onChange(event.target.value)}
    >
      {['', ...words].map((word) => (
        <option key={word} value={word}>
          {names[word] ?? word}
        </option>
      ))}
    </select>
  );
}
