"""Day files of a made-up project for bench/search.sh: the same bytes for the same arguments.

    python3 bench/archive.py FOLDER MEGABYTES LABELLED

Most turns speak of something else than any query: their words are made up from syllables, drawn so
that few are frequent and most are rare, in four languages and code. Each also holds some words of
the labelled set, as turns of one project do, and one in two hundred is a turn of that set.
"""
import bisect, datetime, glob, itertools, os, random, re, sys

root, megabytes, source = sys.argv[1], int(sys.argv[2]), sys.argv[3]
dice = random.Random(7)

WORDS = 24_000  # made-up words of each language
FAMILIAR = 0.1  # share of words that the labelled set holds too
LABELLED = 0.005  # share of turns that are the labelled set's

LATIN = ('ba be bi bo bu ca ce co da de di do fa fe fi ga ge go ha he hi ja ka ke ki la le li lo ma me mi mo '
         'na ne ni no pa pe po ra re ri ro sa se si so ta te ti to va ve vi wa we xi ya zu tra pre con ver str').split()
ENDS = {'en': 's ed ing er ly al ment ness tion able'.split(), 'de': 'en er ung heit lich keit ern est isch los'.split()}
HANGUL = ('가 각 간 감 강 개 거 건 검 결 경 계 고 공 과 관 교 구 국 군 권 급 기 나 남 내 노 농 단 당 대 도 동 두 등 라 락 란 '
          '력 로 료 류 리 림 마 만 망 매 면 명 모 목 무 문 물 미 민 바 박 반 발 방 번 법 변 별 병 보 복 본 부 분 비 사 산 상 '
          '생 서 석 선 설 성 세 소 속 손 송 수 순 습 승 시 식 신 실 심 아 안 애 약 양 어 언 업 역 연 열 영 예 오 온 완 외 요 '
          '용 우 운 원 위 유 육 윤 음 의 이 인 일 임 입 자 작 장 재 저 적 전 절 점 정 제 조 종 주 준 중 증 지 직 진 질 집 차 '
          '창 채 책 처 천 철 청 체 초 총 최 추 출 충 치 침 카 타 태 택 터 토 통 투 파 판 편 평 포 표 품 피 하 학 한 함 합 항 '
          '해 행 향 험 현 형 호 화 확 환 활 회 효 후').split()
PARTICLES = '은 는 이 가 을 를 에 에서 으로 로 도 와 과 의 까지 부터 하고 했던 하는 합니다 됩니다'.split() + [''] * 8
HAN = [chr(code) for code in range(0x4e00, 0x9f00, 9)]


def made_up(language):
    if language == 'ko':
        return ''.join(dice.choice(HANGUL) for _ in range(dice.choice((2, 2, 2, 3, 4)))) + dice.choice(PARTICLES)
    if language == 'zh':
        return ''.join(dice.choice(HAN) for _ in range(dice.choice((1, 2, 2, 2, 3))))
    if language == 'code':
        parts = [''.join(dice.choice(LATIN) for _ in range(dice.choice((2, 3)))) for _ in range(dice.choice((1, 2, 3)))]
        return dice.choice(('_'.join(parts), '.'.join(parts), '/'.join(parts) + '.rs', parts[0] + '()', str(dice.randrange(9999))))
    word = ''.join(dice.choice(LATIN) for _ in range(dice.choice((1, 2, 2, 3)))) + dice.choice(ENDS[language])
    return word.capitalize() if language == 'de' and dice.random() < 0.4 else word


def drawer(words):
    """Draws words, the n-th with a weight of 1/(n + 3)."""
    sums = list(itertools.accumulate(1 / (n + 3) for n in range(len(words))))
    return lambda count: [words[min(bisect.bisect(sums, dice.random() * sums[-1]), len(words) - 1)] for _ in range(count)]


turns = []
for path in sorted(glob.glob(source + '/*.md')):
    parts = re.split(r'(?m)^## \[[\d:]+\] (User|Assistant)\n', open(path, encoding='utf-8').read())[1:]
    said = list(zip(parts[::2], parts[1::2]))
    turns += [(a[1].strip(), b[1].strip()) for a, b in zip(said, said[1:]) if (a[0], b[0]) == ('User', 'Assistant')]
familiar = [word for turn in turns for text in turn for word in text.split()]
draw = {language: drawer([made_up(language) for _ in range(WORDS)]) for language in ('ko', 'en', 'de', 'zh', 'code')}


def line(language, count):
    """Some words of a language, some of code, some of the labelled set."""
    words = draw[language](count) + draw['code'](count // 5)
    words += [dice.choice(familiar) for _ in words if dice.random() < FAMILIAR]
    dice.shuffle(words)
    return ' '.join(words)


# Lines are made once and put together anew: making each would take hours for a gigabyte.
stock = {language: [line(language, 13) for _ in range(30_000)] for language in ('ko', 'en', 'de', 'zh')}
os.makedirs(f'{root}/conversations')
open(f'{root}/.mnemo-root', 'w').close()
days = max(20, min(1000, megabytes))
day = datetime.date(2023, 1, 1)
for index in range(days):
    out = [f'---\ndate: {day}\nproject: bench\nkeywords: []\nsummary: ""\n---\n\n# {day}\n']
    size, turn = 0, 0
    while size < megabytes * 1048576 // days:
        language = dice.choice(('ko', 'ko', 'en', 'en', 'de', 'zh'))
        if dice.random() < LABELLED:
            question, answer = dice.choice(turns)
        else:
            question = dice.choice(stock[language])
            answer = '\n'.join(dice.choices(stock[language], k=dice.choice((2, 4, 8, 12, 20))))
        mark = f'<!-- mnemo s=1f0c2d3e id={index:04x}{turn:06x} -->'
        clock = f'{8 + turn // 3600 % 14:02}:{turn // 60 % 60:02}:{turn % 60:02}'
        text = f'\n## [{clock}] User\n{mark}\n\n{question}\n\n## [{clock}] Assistant\n{mark}\n\n{answer}\n'
        out.append(text)
        size += len(text.encode())
        turn += 1
    if index == 3:
        out.append(f'\n## [23:00:00] User\n{mark}\n\nzq_rare_literal_881\n')
    with open(f'{root}/conversations/{day}-claude.md', 'w', encoding='utf-8') as file:
        file.write(''.join(out))
    day += datetime.timedelta(days=1)
