import { Tabs } from '@mantine/core';
import { useAppContext, useView } from '../../app/desk.ts';
import { reviews } from '../../data/questions.ts';
import { useQuery } from '../../data/use-query.ts';
import { enLaunch } from '../../messages/en-launch.ts';
import { ReviewsTab } from './ReviewsTab.tsx';
import { groupOf } from './review-groups.ts';
import { TimelineTab } from './TimelineTab.tsx';

/** The way of every campaign to being live, and the inbox of their reviews. */
export function LaunchScreen({ workspaceId }: { readonly workspaceId: string }) {
  const { store } = useAppContext();
  const tab = useView((s) => s.launchTab);
  const all = useQuery(reviews(workspaceId)).data ?? [];
  const rejected = all.filter((review) => groupOf(review) === 'rejected').length;
  return (
    <div className="launch-screen">
      <h1 className="view-title launch-title">{enLaunch.title}</h1>
      <Tabs
        value={tab}
        onChange={(next) => store.getState().openLaunch(next === 'reviews' ? 'reviews' : 'timeline')}
        keepMounted={false}
        className="drawer-tabs"
      >
        <Tabs.List>
          <Tabs.Tab value="timeline">{enLaunch.tabs.timeline}</Tabs.Tab>
          <Tabs.Tab
            value="reviews"
            rightSection={rejected > 0 && <span className="badge badge-error">{rejected}</span>}
          >
            {enLaunch.tabs.reviews}
          </Tabs.Tab>
        </Tabs.List>
        <Tabs.Panel value="timeline">
          <TimelineTab workspaceId={workspaceId} />
        </Tabs.Panel>
        <Tabs.Panel value="reviews">
          <ReviewsTab workspaceId={workspaceId} />
        </Tabs.Panel>
      </Tabs>
    </div>
  );
}
