import { aboutItem } from '../../data/picture-questions.ts';
import { useQuery } from '../../data/use-query.ts';
import { ItemPage } from '../frame/ItemPage.tsx';
import { ServicePicture } from '../frame/ServicePicture.tsx';

interface ItemAboutProps {
  readonly workspaceId: string;
  readonly itemId: string;
}

/** What the catalog shows of an item: its picture, its name, and a link to its page. */
export function ItemAbout({ workspaceId, itemId }: ItemAboutProps) {
  const about = useQuery(itemId === '' ? null : aboutItem(workspaceId, itemId)).data;
  if (about === undefined || about === null) return null;
  return (
    <div className="item-about">
      <ServicePicture
        workspaceId={workspaceId}
        of={{ is: 'item', itemId }}
        alt={about.name}
        size={{ width: 72, height: 72 }}
      />
      <p>
        {about.name}
        <br />
        <ItemPage url={about.pageUrl} name={about.name} />
      </p>
    </div>
  );
}
