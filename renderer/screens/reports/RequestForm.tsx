import { Button, Checkbox } from '@mantine/core';
import { useEffect, useState } from 'react';
import { REPORT_TYPES, type ReportSnapshot, type ReportWish } from '../../../shared/contract/reports.ts';
import { addDays, plainDate } from '../../../shared/model/plain-date.ts';
import type { PlainDate } from '../../../shared/model/scalars.ts';
import { enReports } from '../../messages/en-reports.ts';

interface RequestFormProps {
  /** The day at the business; a practice account's may be years ahead. */
  readonly today: PlainDate;
  /** The report on screen, whose wish the form starts from. */
  readonly last: ReportSnapshot | null;
  readonly onRequest: (wish: ReportWish, again: boolean) => Promise<void>;
}

const DAYS_AT_FIRST = 30;

/** The last thirty whole days. */
const lately = (today: PlainDate): ReportWish => ({
  reportType: 'campaign',
  startDate: addDays(today, -DAYS_AT_FIRST),
  endDate: addDays(today, -1),
  byDate: true,
});

/** Which report, for which days. */
export function RequestForm({ today, last, onRequest }: RequestFormProps) {
  const [wish, setWish] = useState<ReportWish>(() => lately(today));
  const [busy, setBusy] = useState(false);
  useEffect(() => {
    if (last === null) return;
    const { reportType, startDate, endDate, byDate } = last;
    setWish({ reportType, startDate, endDate, byDate });
  }, [last]);
  const ready =
    plainDate(wish.startDate) !== null && plainDate(wish.endDate) !== null && wish.startDate <= wish.endDate && !busy;
  const send = async (again: boolean): Promise<void> => {
    setBusy(true);
    await onRequest(wish, again);
    setBusy(false);
  };
  return (
    <form
      className="reports-form"
      aria-label={enReports.form}
      onSubmit={(event) => {
        event.preventDefault();
        if (ready) void send(false);
      }}
    >
      <select
        className="input"
        aria-label={enReports.type}
        value={wish.reportType}
        onChange={(event) => setWish({ ...wish, reportType: event.target.value })}
      >
        {REPORT_TYPES.map((type) => (
          <option key={type} value={type}>
            {enReports.types[type]}
          </option>
        ))}
      </select>
      <input
        className="input"
        type="date"
        aria-label={enReports.from}
        value={wish.startDate}
        max={wish.endDate}
        onChange={(event) => setWish({ ...wish, startDate: event.target.value })}
      />
      <input
        className="input"
        type="date"
        aria-label={enReports.to}
        value={wish.endDate}
        min={wish.startDate}
        onChange={(event) => setWish({ ...wish, endDate: event.target.value })}
      />
      <Checkbox
        size="xs"
        checked={wish.byDate}
        label={enReports.byDate}
        title={enReports.byDateHint}
        onChange={(event) => setWish({ ...wish, byDate: event.currentTarget.checked })}
      />
      <Button type="submit" variant="filled" disabled={!ready}>
        {busy ? enReports.asking : enReports.request}
      </Button>
      {last !== null && (
        <Button disabled={!ready} onClick={() => void send(true)}>
          {enReports.again}
        </Button>
      )}
    </form>
  );
}
