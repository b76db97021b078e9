import ui from '../../components/ui.module.css';
import styles from './launch.module.css';
import { TimelineTab } from './TimelineTab.tsx';

const texts = { title: 'Launch' } as const;

/** The way of every campaign to being live. */
export function LaunchScreen({ workspaceId }: { readonly workspaceId: string }) {
  return (
    <div className={styles['launch-screen']}>
      <h1 className={`${ui['view-title']} ${styles['launch-title']}`}>{texts.title}</h1>
      <TimelineTab workspaceId={workspaceId} />
    </div>
  );
}
