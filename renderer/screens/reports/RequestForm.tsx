import { Button, Checkbox } from '@mantine/core';
import { useState } from 'react';
import { REPORT_TYPES, type ReportWish } from '../../../shared/contract/reports.ts';
import { addDays, plainDate } from '../../../shared/model/plain-date.ts';
import type { PlainDate } from '../../../shared/model/scalars.ts';
import { enReports } from '../../messages/en-reports.ts';
import { DayInput } from '../../ui/DayInput.tsx';

interface RequestFormProps {
  /** The day at the business; a practice account's may be years ahead. */
  readonly today: PlainDate;
  readonly busy: boolean;
  readonly onRequest: (wish: ReportWish) => void;
}

const SPANS = [7, 30, 90] as const;

/** So many whole days up to yesterday: figures of a day come on the next. */
const lately = (today: PlainDate, days: number) => ({
  startDate: addDays(today, -days),
  endDate: addDays(today, -1),
});

/** Which report, for which days. */
export function RequestForm({ today, busy, onRequest }: RequestFormProps) {
  const [wish, setWish] = useState<ReportWish>({ reportType: 'campaign', byDate: true, ...lately(today, 30) });
  const change = (part: Partial<ReportWish>): void => setWish({ ...wish, ...part });
  const inOrder =
    plainDate(wish.startDate) !== null && plainDate(wish.endDate) !== null && wish.startDate <= wish.endDate;
  return (
    <form
      className="reports-form"
      aria-label={enReports.form}
      onSubmit={(event) => {
        event.preventDefault();
        if (inOrder && !busy) onRequest(wish);
      }}
    >
      <select
        className="input"
        aria-label={enReports.type}
        value={wish.reportType}
        onChange={(event) => change({ reportType: event.target.value })}
      >
        {REPORT_TYPES.map((type) => (
          <option key={type} value={type}>
            {enReports.types[type]}
          </option>
        ))}
      </select>
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
      <Button type="submit" variant="filled" disabled={!inOrder || busy}>
        {busy ? enReports.asking : enReports.request}
      </Button>
    </form>
  );
}
