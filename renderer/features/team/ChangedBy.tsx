import { useQuery } from '@tanstack/react-query';
import type { RowRef } from '../../../shared/api/scalars.ts';
import { useApi } from '../../app/app-context.ts';
import { timeText } from '../../app/locale/numbers.ts';
import ui from '../../components/ui.module.css';
import { useNow } from '../../components/use-now.ts';

const texts = {
  by: (name: string, computer: string, time: string) =>
    `Changed by ${computer === '' ? name : `${name} (${computer})`}, ${time}`,
} as const;

/** Who changed a row last, from which computer. */
export function ChangedBy({ workspaceId, row }: { readonly workspaceId: string; readonly row: RowRef }) {
  const now = useNow();
  const last = useQuery(useApi().history.log.queryOptions({ input: { workspaceId, ref: row, from: 0, count: 1 } })).data
    ?.entries[0];
  const desks = useQuery(useApi().team.status.queryOptions({ input: { workspaceId } })).data?.desks;
  if (last === undefined || last.who === '') return null;
  const computer = desks?.find(({ no }) => no === last.desk)?.name ?? '';
  return <span className={ui['quiet']}>{texts.by(last.who, computer, timeText(last.at, now))}</span>;
}
