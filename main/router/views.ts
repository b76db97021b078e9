import { parseSearch } from '../../shared/search/parse-search.ts';
import { refuseNote } from './note-errors.ts';
import { opened } from './opening.ts';
import { type CoreParts, os } from './parts.ts';

export const viewsRouter = ({ open }: CoreParts) => ({
  saved: os.views.saved.handler(async ({ input, errors }) =>
    (await opened(open, input.workspaceId, errors)).workspace.savedViews(),
  ),
  save: os.views.save.handler(async ({ input, errors }) => {
    const { workspaceId, id, ...saved } = input;
    const { workspace } = await opened(open, workspaceId, errors);
    const filter = parseSearch(saved.view.filter, saved.view.kind);
    if (!filter.ok) throw errors.BAD_FILTER({ data: filter.error });
    const written = await workspace.note({ do: 'save-view', id, saved });
    return written.ok ? { id: written.value.id, ...saved } : refuseNote(written.error, errors);
  }),
  remove: os.views.remove.handler(async ({ input, errors }) => {
    const { workspace } = await opened(open, input.workspaceId, errors);
    const written = await workspace.note({ do: 'remove-view', id: input.id });
    return written.ok ? {} : refuseNote(written.error, errors);
  }),
  groups: os.views.groups.handler(async ({ input, errors }) => {
    const { workspace } = await opened(open, input.workspaceId, errors);
    const groups = await workspace.viewGroups(input.viewId, input.from, input.count);
    if (groups === null) throw errors.NO_VIEW({ data: { viewId: input.viewId } });
    return groups;
  }),
  duplicates: os.views.duplicates.handler(async ({ input, errors }) => {
    const { workspaceId, ...search } = input;
    return (await opened(open, workspaceId, errors)).workspace.duplicates(search);
  }),
  text: os.views.text.handler(async ({ input, errors }) => {
    const { workspaceId, viewId, from, count, columns, decimal } = input;
    const { workspace } = await opened(open, workspaceId, errors);
    const text = await workspace.viewText(viewId, from, count, { columns, decimal });
    if (text === null) throw errors.NO_VIEW({ data: { viewId } });
    if (!text.ok) throw errors.BAD_FILTER({ data: { at: 0, problem: `There is no column ${text.error.column}.` } });
    return text.value;
  }),
  place: os.views.place.handler(async ({ input, errors }) => {
    const { workspace } = await opened(open, input.workspaceId, errors);
    const found = await workspace.viewPlace(input.viewId, input.id);
    if (found === null) throw errors.NO_VIEW({ data: { viewId: input.viewId } });
    return found;
  }),
  totals: os.views.totals.handler(async ({ input, errors }) => {
    const totals = await (await opened(open, input.workspaceId, errors)).workspace.viewTotals(input.viewId);
    if (totals === null) throw errors.NO_VIEW({ data: { viewId: input.viewId } });
    return { totals: [...totals] };
  }),
  counts: os.views.counts.handler(async ({ input, errors }) => {
    const { workspace } = await opened(open, input.workspaceId, errors);
    return workspace.viewCounts(input.kind, input.campaignId);
  }),
});
