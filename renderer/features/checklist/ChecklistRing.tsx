import { useQuery } from '@tanstack/react-query';
import { CHECKLIST_STEPS } from '../../../shared/api/choices.ts';
import { useApi, useAppContext, useView } from '../../app/app-context.ts';
import { openFirstSteps } from '../../app/command-handlers.ts';
import ui from '../../components/ui.module.css';
import styles from './checklist.module.css';

export const checklistTexts = { title: 'Get to know Adslate', ring: 'First steps' } as const;

export interface ChecklistProps {
  readonly workspaceId: string;
}

export const useChecklist = ({ workspaceId }: ChecklistProps) =>
  useQuery(useApi().checklist.get.queryOptions({ input: { workspaceId } })).data;

const ROUND = 2 * Math.PI * 15;

export function Ring({ done, size }: { readonly done: number; readonly size: number }) {
  const share = (done / CHECKLIST_STEPS.length) * ROUND;
  return (
    <svg className={styles['ring']} width={size} height={size} viewBox="0 0 36 36" aria-hidden="true">
      <circle cx="18" cy="18" r="15" />
      <circle cx="18" cy="18" r="15" className={styles['ring-done']} strokeDasharray={`${share} ${ROUND}`} />
    </svg>
  );
}

/** The progress of the first steps in the sidebar, while the list itself is not on screen. */
export function ChecklistRing({ workspaceId }: ChecklistProps) {
  const app = useAppContext();
  const list = useChecklist({ workspaceId });
  const isThere = useView((s) => s.place === 'overview');
  if (list === null || list === undefined || list.closed || isThere) return null;
  const count = `${list.done.length}/${CHECKLIST_STEPS.length}`;
  return (
    <button
      type="button"
      className={styles['ring-row']}
      title={checklistTexts.title}
      onClick={() => void openFirstSteps(app)}
    >
      <Ring done={list.done.length} size={16} />
      <span className={ui['nav-name']}>{checklistTexts.ring}</span>
      <span className={styles['ring-count']}>{count}</span>
    </button>
  );
}
