/** What rides on a packet and takes no room on the wire. */
#pragma once
#include "ns3/network-module.h"

namespace ns3
{

template <char KIND>
class PairTag : public Tag
{
  public:
    uint64_t first = 0;
    uint64_t second = 0;

    PairTag() = default;

    PairTag(uint64_t a, uint64_t b)
        : first(a),
          second(b)
    {
    }

    static TypeId GetTypeId()
    {
        static TypeId id = TypeId(std::string("PairTag") + KIND)
                               .SetParent<Tag>()
                               .template AddConstructor<PairTag<KIND>>();
        return id;
    }

    TypeId GetInstanceTypeId() const override
    {
        return GetTypeId();
    }

    uint32_t GetSerializedSize() const override
    {
        return 16;
    }

    void Serialize(TagBuffer buffer) const override
    {
        buffer.WriteU64(first);
        buffer.WriteU64(second);
    }

    void Deserialize(TagBuffer buffer) override
    {
        first = buffer.ReadU64();
        second = buffer.ReadU64();
    }

    void Print(std::ostream& out) const override
    {
        out << KIND << first << "-" << second;
    }
};

/** The block of a SACK. */
using SackTag = PairTag<'s'>;
/** When this packet, or the one that drew this ACK, had left its host; none if it was repeated. */
using LeftTag = PairTag<'l'>;
/** A repeated packet. */
using AgainTag = PairTag<'a'>;

} // namespace ns3
