// Castellan's own men, drawn here: six outlines and their details in a square of 45 units, and the
// style sheet that puts them on the board, in ivory and in slate.

const FOOT = 'M12 38.5v-2.6c0-1.3 1-2.3 2.3-2.3h16.4c1.3 0 2.3 1 2.3 2.3v2.6z';

// `body` is filled and outlined; `lines` are only drawn over it; `dots` are filled like the lines.
const MEN = {
  pawn: {
    body: [
      'M15.6 33.6c.4-4.6 3.2-7 3.7-11.6h6.4c.5 4.6 3.3 7 3.7 11.6z',
      'M22.5 9.8a5.9 5.9 0 0 1 3.7 10.5h1.6a1 1 0 0 1 0 2H17.2a1 1 0 0 1 0-2h1.6a5.9 5.9 0 0 1 3.7-10.5z',
    ],
    lines: [],
    dots: [],
  },
  knight: {
    body: [
      'M31.4 33.6c1.6-10.6.4-19.4-8-23.4l-.6-4-3.9 3.3c-3.2 1.4-5.4 4.3-6.3 7.5-.9 2.9-3.3 4.8-3.6 7.2-.2 1.9 1.2 3.4 3.1 3.3 1.9-.2 2.6-1.7 4.3-2.1 1.8-.4 3.6-.7 4.8-2.1.3 3.9-6.8 5.3-7.4 10.3z',
    ],
    lines: ['M25.2 13.4c3.6 4.3 4.4 10.2 3.7 17'],
    dots: ['M17.9 14.6a1.25 1.25 0 1 1-.01 0z', 'M11.9 23.3a.8.8 0 1 1-.01 0z'],
  },
  bishop: {
    body: [
      'M17.4 33.6l1-3c-2.7-1.4-4.4-4-4.4-7.4 0-4.8 3.6-8.9 7-11.7a2.4 2.4 0 1 1 3 0c3.4 2.8 7 6.9 7 11.7 0 3.4-1.7 6-4.4 7.4l1 3z',
    ],
    lines: ['M25.4 16.2l-3.6 6.4', 'M18.6 30.4h7.8'],
    dots: [],
  },
  rook: {
    body: [
      'M14.4 33.6l1.4-3.2V19.8L12.6 17V8.6h4.9v3h2.6v-3h4.8v3h2.6v-3h4.9V17l-3.2 2.8v10.6l1.4 3.2z',
    ],
    lines: ['M15.8 19.8h13.4'],
    dots: ['M22.5 22.4a1.9 1.9 0 0 1 1 3.5l.8 3.6h-3.6l.8-3.6a1.9 1.9 0 0 1 1-3.5z'],
  },
  queen: {
    body: [
      'M14.3 33.6L9.2 16.2l6.6 6.6.2-10.4 4.3 9.2 2.2-10.8 2.2 10.8 4.3-9.2.2 10.4 6.6-6.6-5.1 17.4z',
      'M8.6 12.2a2.1 2.1 0 1 1-.01 0z',
      'M15.9 8.4a2.1 2.1 0 1 1-.01 0z',
      'M22.5 6.8a2.1 2.1 0 1 1-.01 0z',
      'M29.1 8.4a2.1 2.1 0 1 1-.01 0z',
      'M36.4 12.2a2.1 2.1 0 1 1-.01 0z',
    ],
    lines: ['M13.6 29.6c5.6-1.6 12.2-1.6 17.8 0'],
    dots: [],
  },
  king: {
    body: [
      'M21.2 13.4V9.9h-3V7.3h3v-3h2.6v3h3v2.6h-3v3.5z',
      'M14 33.6c-3.6-3.8-5.2-8.2-4-11.6 1.7-4.6 8-4.8 12.5.6 4.5-5.4 10.8-5.2 12.5-.6 1.2 3.4-.4 7.8-4 11.6z',
      'M22.5 12.6c-2.9 2.4-3.8 5-2.6 7.7l2.6 4.9 2.6-4.9c1.2-2.7.3-5.3-2.6-7.7z',
    ],
    lines: ['M13.4 29.8c5.8-1.7 12.4-1.7 18.2 0', 'M22.5 25v4'],
    dots: [],
  },
};

const INKS = {
  white: { fill: '#fcf8ee', edge: '#33302b', line: '#33302b' },
  black: { fill: '#3a3f45', edge: '#15171a', line: '#ece5d6' },
};

const LETTERS = { pawn: 'P', knight: 'N', bishop: 'B', rook: 'R', queen: 'Q', king: 'K' };

const attributes = (values) =>
  Object.entries(values)
    .map(([name, value]) => `${name}='${value}'`)
    .join(' ');

function svg(content) {
  return `<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 45 45'>${content}</svg>`;
}

function drawn(man, ink) {
  const joined = { 'stroke-width': 1.5, 'stroke-linejoin': 'round', 'stroke-linecap': 'round' };
  const body = [FOOT, ...man.body].map((d) => `<path d='${d}'/>`).join('');
  const lines = man.lines.map((d) => `<path d='${d}'/>`).join('');
  const dots = man.dots.map((d) => `<path d='${d}'/>`).join('');
  return svg(
    `<g ${attributes({ fill: ink.fill, stroke: ink.edge, ...joined })}>${body}</g>` +
      `<g ${attributes({ fill: 'none', stroke: ink.line, ...joined, 'stroke-width': 1.3 })}>${lines}</g>` +
      `<g ${attributes({ fill: ink.line })}>${dots}</g>`,
  );
}

function letter(role, ink) {
  return svg(
    `<circle cx='22.5' cy='22.5' r='16.5' ${attributes({ fill: ink.fill, stroke: ink.edge, 'stroke-width': 1.8 })}/>` +
      `<text x='22.5' y='30' font-family='Georgia, serif' font-size='21' font-weight='700' text-anchor='middle' fill='${ink.line}'>${LETTERS[role]}</text>`,
  );
}

// '#' and '<' have to be escaped inside a data address, the rest may stay readable.
const address = (text) =>
  `url("data:image/svg+xml,${text.replace(/%/g, '%25').replace(/#/g, '%23').replace(/</g, '%3C').replace(/>/g, '%3E')}")`;

// A piece of that set: on the page, and in a swatch of the settings, which shows a set of its own.
export const inSet = (set, piece, swatch = true) =>
  `[data-pieces=${set}]>body ${piece}` + (swatch ? `,.swatch[data-pieces=${set}] ${piece}` : '');

export function pieceStyles() {
  const rules = [];
  for (const [role, man] of Object.entries(MEN)) {
    for (const [color, ink] of Object.entries(INKS)) {
      const piece = `piece.${role}.${color}`;
      rules.push(`${inSet('keep', piece)},${inSet('blindfold', piece, false)}{background-image:${address(drawn(man, ink))}}`);
      rules.push(`${inSet('letters', piece)}{background-image:${address(letter(role, ink))}}`);
    }
  }
  return rules.join('\n');
}
