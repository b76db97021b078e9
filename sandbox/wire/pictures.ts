import { hash } from '../seed.ts';

/** Pictures that the sandbox draws instead of keeping: SVG, without scripts or anything from elsewhere. */
const whiteText = 'fill="#fff" font-family="sans-serif"';

/** No frame is decoded: the picture shows the length, and its colour tells one video from another. */
export function drawThumbnail(mediaId: number, lengthMs: number): string {
  const seconds = (lengthMs / 1000).toFixed(1);
  const ground = `hsl(${(mediaId * 47) % 360} 40% 35%)`;
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 320 180"><rect width="320" height="180" fill="${ground}"/><path d="M135 60l60 35-60 35z" fill="#fff"/><text x="310" y="170" text-anchor="end" font-size="18" ${whiteText}>${seconds} s</text></svg>`;
}

/** An item of the catalogue: a parcel in a colour of its own, with the initials of its name. */
export function drawItem(name: string): string {
  const hue = hash(0, 'item', name) % 360;
  const initials = name
    .split(' ')
    .filter((word) => /^\p{L}/u.test(word))
    .slice(0, 3)
    .map((word) => word.slice(0, 1))
    .join('');
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 200 200"><rect width="200" height="200" fill="hsl(${hue} 30% 92%)"/><rect x="40" y="50" width="120" height="110" rx="6" fill="hsl(${hue} 45% 45%)"/><path d="M40 80h120" stroke="hsl(${hue} 45% 30%)" stroke-width="4"/><text x="100" y="132" text-anchor="middle" font-size="34" ${whiteText}>${initials}</text></svg>`;
}
