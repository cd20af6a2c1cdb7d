/**
 * What the server says, as docs/api.md has it. Types only.
 *
 * @typedef {"black" | "white"} Color
 * @typedef {{square: string, flips: string[]}} Legal
 * @typedef {{ply: number, color: Color, square: string, flips: string[]}} Last
 * @typedef {{black: number, white: number, empty: number}} Counts
 * @typedef {{value: number, text: string, decided: boolean, for: Color, depth?: number, nodes?: number}} Score
 * @typedef {{ply: number, color: Color, move: string, time_ms?: number | null, score?: Score | null}} Played
 * @typedef {{kind: "person" | "computer", name: string | null, player: string | null, taken: boolean, connected: boolean}} Seat
 * @typedef {{black_ms: number, white_ms: number, main_ms: number, increment_ms: number, running: Color | null,
 *   running_since: number | null}} Clock
 * @typedef {{winner: Color | null, margin: number | null, ending: "counted" | "resigned" | "timeout" | "aborted", text: string}} Result
 *
 * @typedef {{en: string, ja: string, zh: string}} Opening each may be empty
 *
 * @typedef {"hello" | "good_luck" | "one_moment" | "well_played" | "thanks" | "goodbye"} GreetingWord
 *
 * @typedef {object} Game
 * @property {string} id
 * @property {number} version
 * @property {"local" | "computer" | "link" | "watch"} mode
 * @property {number} size
 * @property {{start: string, objective: "most" | "fewest"}} variant
 * @property {{black: Seat, white: Seat}} players
 * @property {"open" | "playing" | "over"} status
 * @property {Color | null} turn
 * @property {number} ply
 * @property {string} start
 * @property {Color} start_turn
 * @property {string} cells
 * @property {Counts} counts
 * @property {Legal[]} legal
 * @property {Last | null} last
 * @property {Opening | null} opening
 * @property {Color[]} passes
 * @property {Played[]} moves
 * @property {number} redo
 * @property {boolean} thinking
 * @property {boolean} paused
 * @property {number} pause_ms
 * @property {Clock | null} clock
 * @property {{by: Color, to_ply: number} | null} undo_offer
 * @property {Color | null} time_offer
 * @property {Record<Color, {word: GreetingWord, number: number} | null>} greetings
 * @property {{games: number, black: number, white: number} | null} series
 * @property {{offered_by: Color | null, game: string | null} | null} rematch
 * @property {number} watchers
 * @property {Result | null} result
 *
 * @typedef {{seats: Color[], host: boolean, may: string[]}} You
 * @typedef {{you: You, now: number, game: Game, token?: string}} Sight
 *
 * @typedef {{name: string, own: number, opponent: number, value: number, weight: number, contribution: number}} Component
 * @typedef {{evaluator: string, for: Color, total: number, components: Component[]}} Breakdown
 * @typedef {{type: "thinking", ply: number, color: Color, player: string, done: boolean, depth: number, greatest_depth: number,
 *   nodes: number, nps: number, time_ms: number, score: Score | null, best: string | null, line: string[],
 *   source?: string, breakdown: Breakdown | null}} Thought
 *
 * @typedef {{name: string, player: string, summary: string, rating: number}} Level
 * @typedef {{name: string, default: string | null, expects: string, about: string}} Setting
 * @typedef {{name: string, summary: string, settings: Setting[]}} Kind
 * @typedef {{levels: Level[], kinds: Kind[], presets: {name: string, stands_for: string, summary: string}[],
 *   evaluators: {name: string, summary: string, weights: {name: string, usual: number}[]}[]}} Catalogue
 *
 * @typedef {{id: string, mode: string, size: number, status: string, black: string | null, white: string | null, free: Color[],
 *   ply: number, counts: Counts, watchers: number, clock: object | null,
 *   variant: {start: string, objective: "most" | "fewest"}, created: number}} Listed
 *
 * @typedef {Listed & {you: Color[], may: string[], seats: Record<Color, Seat>, turn: Color | null, start: string, start_turn: Color,
 *   transcript: string, result: Result | null}} MyGame
 *
 * @typedef {{size?: number, start?: string, objective?: string, position?: string | null, moves?: string | string[] | null,
 *   text?: string | null, game?: number, ply?: number | null}} Place
 * @typedef {{move: string, rank: number, score: Score, depth: number, nodes: number, time_ms: number, line: string[],
 *   solved: boolean, stopped: boolean}} Evaluation
 * @typedef {{depth: number, confidence: number | null, solved: boolean, done: boolean, time_ms: number, nodes: number, nps: number,
 *   moves: {move: string, score: Score, depth: number, solved: boolean, line: string[]}[],
 *   chances: {black: number, draw: number, white: number} | null}} Deepened
 * @typedef {{kind: "takes_corner" | "leaves_no_reply" | "gives_no_corner" | "few_replies" | "safe_discs" | "odd_region" | "few_flips",
 *   count: number, other: number}} Merit
 * @typedef {{move: string, line: string[], score: Score | null, depth: number, solved: boolean, merits: Merit[]}} Hint
 * @typedef {{stable: string[], semi_stable: string[], unstable: string[]}} Stability
 * @typedef {{mobility: Record<Color, string[]>, frontier: Record<Color, string[]>, stability: Record<Color, Stability>,
 *   regions: {squares: string[], odd: boolean}[]}} Overlays
 * @typedef {{size: number, cells: string, turn: Color | null, ply: number, status: "to_place" | "must_pass" | "over",
 *   counts: Counts, legal: Legal[], last: Last | null, board: string, objective: string}} Position
 * @typedef {{position: Position, moves: Played[], player: string | null,
 *   evaluations: Evaluation[], breakdown: Breakdown | null, overlays: Overlays | null, opening: Opening | null}} Analysis
 *
 * @typedef {{id: number, parent: number | null, ply: number, move: string | null, color: Color | null, cells: string,
 *   comment: string, discs: number | null, time_ms: number | null, markings?: string[]}} ImportNode
 * @typedef {{size: number, objective: string, tags: Record<string, string>, result: string | null, start: string,
 *   start_turn: Color, transcript: string, nodes: ImportNode[], record: object}} ImportGame
 * @typedef {{format: string, total: number, problems: {game: number, message: string}[], games: ImportGame[]}} Imported
 *
 * @typedef {{black: string, white: string, event: string, year: number, score: number, moves: string, size: number}} WthorGame
 *
 * @typedef {{games: number, wins: number, draws: number, losses: number, average: number | null, first_year: number | null,
 *   last_year: number | null}} Tally
 * @typedef {{discs: number, bound: string, solved: boolean, depth: number, confidence: number | null, source: string}} OpeningValue
 * @typedef {{move: string, same: string[], tally: Tally, opening: Opening | null, value: OpeningValue | null}} ExploredMove
 * @typedef {{black: string, white: string, event: string, year: number | null, result: string | null, winner: Color | null,
 *   moves: string, ply: number, next: string | null}} ExploredGame
 * @typedef {{database: string, summary: boolean, credit: string | null, database_games: number, turn: Color, opening: Opening | null,
 *   total: Tally, moves: ExploredMove[], ended: Tally, games: ExploredGame[], key?: string}} Explored `key` is the page's own
 * @typedef {{player?: string, color?: Color, event?: string, from?: number, to?: number, result?: string}} OpeningsFilter
 * @typedef {{databases: {name: string, games: number, summary: boolean, credit: string | null}[], can_import: boolean}} Databases
 * @typedef {{database: string, new: number, duplicates: number, left_out: number, problems: {game: number, message: string}[],
 *   games: number}} ImportedGames
 *
 * @typedef {{type: "move", ply: number, color: Color, move: string, cells: string, score: Score | null, best: string | null,
 *   best_score: Score | null, line: string[], loss: number, judgement: string, mark: string, exact: boolean, depth: number,
 *   forced: boolean, discs: number, lesson: boolean, why: Why | null}} Judged
 * @typedef {{kind: string, sentence: string, facts: Record<string, string>, line: string[], cells: string, squares: string[]}} Why
 * @typedef {{type: "summary", accuracy: Record<Color, number | null>, counts: Record<Color, Record<string, number>>,
 *   turning_points: {ply: number, color: Color, move: string, loss: number}[]}} ReviewSummary
 *
 * @typedef {{player: string, report: {best: string | null, score: Score | null, line: string[], nodes: number, depth: number,
 *   time_ms: number, stopped: boolean, solved: boolean},
 *   steps: {size: number, cells: string, side: Color, letters: string, numbers: (number | null)[]}}} StepsAnswer
 * @typedef {{breakdown: Breakdown, squares: Record<string, Record<string, number>>}} EvaluationAnswer
 *
 * @typedef {{id: number, kind: string, start: string | null, moves: string, answers: string[], note: string, position: Position,
 *   added: number, due: number, last: number | null, recall: number, right: number, missed: number}} Card
 * @typedef {{kind: string, cards: number, due: number, next: number | null, right: number, missed: number}} Deck
 * @typedef {{name: string, created: number, now: number, decks: Deck[], ratings: Record<string, {rating: number, deviation: number}>}} Profile
 * @typedef {{token: string, name: string, seen: number, cards: number, due: number}} ProfileEntry
 * @typedef {{verdict: {right: boolean, played: string | null, expected: string[], loss: number | null, source: string} | null,
 *   replies: string[], moves: string, position: Position, opening: Opening | null, on_line: boolean, done: boolean,
 *   card: Card | null}} Training
 * @typedef {{rating: number, deviation: number, games: number}} GlickoRating
 * @typedef {{puzzles: number, themes: Record<string, number>, sizes: Record<string, number>}} PuzzleListing
 * @typedef {{puzzle: string, position: Position, goal: string, plays_on: boolean, day: number | null, rating: GlickoRating,
 *   best_runs: Record<string, number>}} PuzzleQuestion
 * @typedef {{kind: "pass" | "mobility" | "parity" | "stable" | "corner" | "sacrifice" | "quiet", other: string, squares: string[],
 *   instead: number | null}} PuzzleReason
 * @typedef {{move: string, scores: [string, number][], themes: string[], reasons: PuzzleReason[], why: Why | null,
 *   rating: GlickoRating}} PuzzleSolution
 * @typedef {{right: boolean, solved: boolean, score: number, best: number, steps: {move: string, position: Position}[], follow: number,
 *   solution: PuzzleSolution | null, change: {before: GlickoRating, after: GlickoRating} | null}} PuzzleAnswered
 * @typedef {{black: string, white: string, date: string | null, moves: string}} ToldGame
 * @typedef {{other_sizes: number, fewest: number, without_moves: number, twice: number}} LeftOut
 * @typedef {{format: string, games: ToldGame[], left_out: LeftOut, problems: {game: number, message: string}[]}} GamesFound
 * @typedef {{games: (ToldGame & {created: number, people: Color[]})[]}} PlayedGames
 * @typedef {{name: string, games: number, won: number, finished: number, moves: number, loss: number, accuracy: number,
 *   blunders: number}} Share
 * @typedef {{name: string, from: number, stages: number[], loss: number}} Band
 * @typedef {{game: string, number: number, move: string, best: string, loss: number, black: boolean, sentence: string,
 *   facts: Record<string, string>, line: string[], link: string}} Example
 * @typedef {{name: string, all: Share, discs: number, like: {rating: number, deviation: number} | null, band: Band | null, bands: Band[],
 *   stages: Share[], colors: Share[], openings: Share[], time: Share[], small_losses: number,
 *   kinds: {kind: string, words: string, count: number, discs: number, share: number, examples: Example[]}[]}} Portrait
 * @typedef {{move: string, discs: number, lines: number | null, goes_on: boolean, advised: boolean}} LinesMove
 * @typedef {{lines: number, open: number, positions: number, longest: number, floor: number, learner: boolean, position: Position,
 *   opening: Opening | null, moves: LinesMove[]}} LinesAnswer
 */
export {};
