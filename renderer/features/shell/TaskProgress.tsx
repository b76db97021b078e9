import { useAppContext, useView } from '../../app/app-context.ts';
import ui from '../../components/ui.module.css';
import styles from './shell.module.css';

const texts = {
  import: 'Importing…',
  export: 'Exporting…',
  change: 'Changing rows…',
  copy: 'Copying to another account…',
  stop: 'Stop',
} as const;

/** What goes on in the account by itself and takes a while, until it is over. */
export function TaskProgress({ workspaceId }: { readonly workspaceId: string }) {
  const { actions } = useAppContext();
  const tasks = useView((s) => s.tasks);
  const here = Object.values(tasks).filter((task) => task.workspaceId === workspaceId);
  const [first] = here;
  if (first === undefined) return null;
  return (
    <span className={styles['status-item']} role="status">
      <progress className={styles['work-sign']} value={first.share ?? undefined} aria-label={texts[first.task]} />{' '}
      {texts[first.task]}
      {first.canCancel && (
        <button type="button" className={ui['chip']} onClick={() => void actions.cancelTask(first.taskId)}>
          {texts.stop}
        </button>
      )}
      {here.length > 1 && <span className={ui['badge']}>+{here.length - 1}</span>}
    </span>
  );
}
