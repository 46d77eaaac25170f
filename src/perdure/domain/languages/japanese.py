"""Japanese."""

from __future__ import annotations

from perdure.domain.languages.language import Language

JAPANESE = Language(
    name="ja",
    common="",
    copulas="は が",
    verbs="は が",
    plain="""私たち 私 僕 あなた 使っています 使っている 使います 使う しています している しました します です ます だ は が を に
        で の と へ も から まで""",
    lasting="",
    likes="",
    dislikes="",
    articles="私たちの 私の",
    adverbs="現在 今 もう",
    vague="これ それ あれ",
    frames="",
    unique=r".{0,4}",
    openings=r"今後は?|これからは?|今は|現在は?|訂正[、,:：]?|覚えておいて[、,。]?",
    reasons=r"なので|だから|ため",
    negation=r"ない|ません|なく|ずに|禁止|不要",
    change=r"今は|現在|今後|変更|切り替え|移行|ではなく|代わりに|もう.{0,20}ない|やめ|新しい|改名|になりました",
    addition=r"にも|でも|さらに|加えて|[ァ-ヶー一-龥A-Za-z]も",
    condition=r"場合|なら|とき|時は|本番|検証|ステージング|ローカル|テストでは",
    doubt=r"たぶん|かもしれ|もし|だろう|でしょう|検討",
    report=r"によると|と言って|だと思|らしい|そうです",
    past=r"かつて|以前は|まで.{0,20}でした|昔|していました",
    weekdays=r"[月火水木金土日]曜日?",
    spans=r"ミリ秒|秒|分|時間|日間?|週間?|か月|年",
    sizes=r"文字|行|列",
    switches="有効 無効 必須 任意",
    replacements=(
        r"OLDから、?NEW(?:に|へ)(?:移行|変更|切り替え|乗り換え|移っ|変わ|引っ越)",
        r"OLD(?:ではなく|じゃなく|の代わりに)(?:て)?、?NEW",
        r"OLDは(?:もう)?(?:使わな|使っていな|使いま|廃止|やめ)",
        r"OLDをNEWに(?:置き換え|変更|改名)",
    ),
    blanks=False,
)
