import type { PlanView } from '../../../shared/api/sync.ts';
import { countText } from '../../app/locale/numbers.ts';
import { Tab, TabList } from '../../components/TabList.tsx';
import styles from './sync.module.css';

const texts = {
  list: 'Parts of the sync plan',
  names: { changes: 'Changes', results: 'Results', stays: 'Not included', technical: 'Technical' },
} as const;

export type PlanTab = 'changes' | 'stays' | 'technical';
const PLAN_TABS: readonly PlanTab[] = ['changes', 'stays', 'technical'];

interface PlanTabsProps {
  /** Undefined until the plan is made. */
  readonly plan: PlanView | undefined;
  /** Whether changes are shown with their results. */
  readonly isDone?: boolean;
  readonly tab: PlanTab;
  readonly onTab: (tab: PlanTab) => void;
}

/** The tabs of a plan, before, during and after the sync. */
export function PlanTabs({ plan, isDone = false, tab, onTab }: PlanTabsProps) {
  return (
    <TabList label={texts.list} className={styles['tabs']}>
      {PLAN_TABS.map((each) => {
        const listed = isDone ? plan?.changes : plan?.listed;
        const count = { changes: listed, stays: plan?.notIncluded, technical: undefined }[each];
        return (
          <Tab key={each} isOpen={each === tab} className={styles['tab']} onClick={() => onTab(each)}>
            {texts.names[each === 'changes' && isDone ? 'results' : each]}
            {count !== undefined && <span className={styles['tab-count']}> {countText(count)}</span>}
          </Tab>
        );
      })}
    </TabList>
  );
}
