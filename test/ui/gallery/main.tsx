import '../../../renderer/styles.ts';
import './gallery.css';
import { createRoot } from 'react-dom/client';
import { areaOf, Gallery } from './Gallery.tsx';

// `npx vite --config test/ui/page.vite.ts`, then /gallery.html#grid
const element = document.getElementById('root');
if (element === null) throw new Error('gallery.html has no element with the id root.');
const root = createRoot(element);
const draw = (): void => {
  const area = areaOf(location.hash);
  root.render(<Gallery key={area} area={area} />);
};
window.addEventListener('hashchange', draw);
draw();
